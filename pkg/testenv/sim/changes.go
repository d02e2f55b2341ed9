package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// edited sets a field of a local object, in the model and in the text of its file.
func (s *simulation) edited(name, field, value string) (map[string]string, error) {
	file := s.file(name)
	text, err := os.ReadFile(filepath.Join(s.shop(), file)) // #nosec G304 -- a file of our own folder
	if err != nil {
		return nil, err
	}
	s.model.local[name].fields[field] = value
	return map[string]string{file: setField(string(text), field, value)}, nil
}

// file is where an object of the package is.
func (s *simulation) file(name string) string { return "app/" + name + ".yaml" }

// pick draws one of some names.
func (s *simulation) pick(names []string) string { return names[s.random.IntN(len(names))] }

// newImage is an image that nobody used before.
func (s *simulation) newImage(name string) string {
	s.model.serial++
	return fmt.Sprintf("registry.example.com/%s:2.%d", name, s.model.serial)
}

func (s *simulation) changeImage() error {
	name := s.pick(s.model.local.names(deployment))
	files, err := s.edited(name, "image", s.newImage(name))
	if err != nil {
		return err
	}
	return s.change(files)
}

// changeField changes a field of a tenth of the objects.
func (s *simulation) changeField() error {
	files := map[string]string{}
	names := s.model.local.names(deployment)
	for range max(1, len(names)/10) {
		one, err := s.edited(s.pick(names), "replicas", fmt.Sprint(6+s.random.IntN(50)))
		if err != nil {
			return err
		}
		maps.Copy(files, one)
	}
	return s.change(files)
}

func (s *simulation) addObject() error {
	s.model.serial++
	sets := []string{"base", "extras", "canary"}
	o := s.model.local.add(fmt.Sprintf("local-%d", s.model.serial), s.pick(sets), s.random.IntN(3) == 0, s.random)
	return s.change(map[string]string{s.file(o.name): o.text()})
}

// watched is the object that status is about. It stays.
const watched = "web-0"

// spare are the objects that can go: no policy loses its last one.
func (p pkg) spare() []string {
	return p.names(func(o object) bool {
		same := p.names(func(other object) bool { return other.fields["set"] == o.fields["set"] })
		return o.name != watched && len(same) > 2
	})
}

func (s *simulation) removeObject() error {
	name := s.pick(s.model.local.spare())
	delete(s.model.local, name)
	return s.change(map[string]string{s.file(name): ""})
}

func (s *simulation) addClusterStep() error {
	s.model.addCluster(s.pick(s.model.regions), s.pick([]string{"prod", "test"}), s.random)
	return s.change(s.model.fleetFiles())
}

// spareCluster is the index of a cluster that may change: its region and its tier have more.
func (s *simulation) spareCluster() int {
	for {
		i := s.random.IntN(len(s.model.clusters))
		c := s.model.clusters[i]
		same := func(equal func(o cluster) bool) bool { // there are more such clusters
			return slices.IndexFunc(s.model.clusters[i+1:], equal) >= 0 || slices.IndexFunc(s.model.clusters[:i], equal) >= 0
		}
		if same(func(o cluster) bool { return o.region == c.region }) && same(func(o cluster) bool { return o.tier == c.tier }) {
			return i
		}
	}
}

func (s *simulation) removeCluster() error {
	i := s.spareCluster()
	s.model.clusters = slices.Delete(slices.Clone(s.model.clusters), i, i+1)
	return s.change(s.model.fleetFiles())
}

// relabelCluster moves a cluster between production and test, which other policies select.
func (s *simulation) relabelCluster() error {
	c := &s.model.clusters[s.spareCluster()]
	c.tier = map[string]string{"prod": "test", "test": "prod"}[c.tier]
	return s.change(s.model.fleetFiles())
}

// changeSites gives the variants other clusters.
func (s *simulation) changeSites() error {
	s.drawSites()
	return s.variants(s.reconcile, s.approve)
}

// drawSites draws clusters that the variants do not have already: those of the fleet, without one of them.
func (s *simulation) drawSites() {
	for before := s.sites; slices.Equal(s.sites, before); {
		i := s.spareCluster()
		s.sites = slices.Delete(slices.Clone(s.model.clusters), i, i+1)
	}
}

func (s *simulation) changeProperty() error {
	s.model.serial++
	c := &s.model.clusters[s.random.IntN(len(s.model.clusters))]
	c.mirror = fmt.Sprintf("mirror-new-%d.example.com", s.model.serial)
	return s.change(s.model.fleetFiles())
}

// widenPolicy has the policy extras select one more region; once it has all, it begins again with one.
func (s *simulation) widenPolicy() error {
	next := len(s.model.extras)%len(s.model.regions) + 1
	s.model.extras = slices.Clone(s.model.regions[:next])
	return s.change(s.model.policies())
}

func (s *simulation) editTemplate() error {
	names := s.model.local.names(func(o object) bool { return len(o.fields["value"]) > 0 && o.fields["value"][0] == '{' })
	s.model.serial++
	files, err := s.edited(s.pick(names), "value", fmt.Sprintf("{{.region}}/{{.clusterName}}/%d", s.model.serial))
	if err != nil {
		return err
	}
	return s.change(files)
}

// editTransform has one more field removed; once all are, it begins again with one.
func (s *simulation) editTransform() error {
	s.model.removed = removable[:len(s.model.removed)%len(removable)+1]
	return s.change(map[string]string{"transform.yaml": s.model.transform()})
}
