package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// publishFirst publishes the packages shop and agents, each as revision 1.
func (s *simulation) publishFirst() error {
	shop, agents := s.model.policies(), map[string]string{"policies/base.yaml": fmt.Sprintf(policyText, "base", "site", "edge"),
		"inventory/clusters.yaml": inventory("clusters", localConfig+"    kpt.dev/config-injection: required\n", []cluster{{name: "edge-0"}})}
	shop["transform.yaml"] = s.model.transform()
	shop["collectors.yaml"], agents["transform.yaml"] = collectorText, s.model.transform()
	for name, files := range map[string]map[string]string{"shop": shop, "agents": agents} {
		files["Kptfile"] = fmt.Sprintf(kptfile, name)
		for _, o := range map[string]pkg{"shop": s.model.upstream, "agents": s.model.agents}[name] {
			files[s.file(o.name)] = o.text()
		}
		if err := writeFiles(filepath.Join(s.dir, "upstream", name), files); err != nil {
			return err
		}
	}
	s.versions = [2]int{1, 1}
	return s.publish("upstream", "shop and agents: first release", "shop/v1", "agents/v1")
}

// upgrade publishes a release of upstream, in which objects change, one is new and one is gone, and has the fleet follow it.
func (s *simulation) upgrade() error {
	names := s.shared()
	local := s.pick(names)
	if err := s.localEdit(local, "replicas", fmt.Sprint(60+s.random.IntN(30))); err != nil {
		return err
	}
	next := s.model.upstream.clone()
	next[local].fields["image"] = s.newImage(local)
	for range max(1, len(names)/20) {
		name := s.pick(names)
		next[name].fields["image"] = s.newImage(name)
	}
	s.model.serial++
	next.add(fmt.Sprintf("new-%d", s.model.serial), "base", false, s.random)
	if gone := s.untouched(); len(gone) > 0 {
		delete(next, s.pick(gone))
	}
	return s.follow(next)
}

// upgradeConflict has upstream and the fleet change the same field.
func (s *simulation) upgradeConflict() error {
	name := s.pick(s.shared())
	if err := s.localEdit(name, "image", s.newImage(name)); err != nil {
		return err
	}
	next := s.model.upstream.clone()
	next[name].fields["image"] = s.newImage(name)
	return s.follow(next)
}

// shared are the Deployments that both upstream and the fleet have.
func (s *simulation) shared() []string {
	return s.model.local.names(func(o object) bool { _, both := s.model.upstream[o.name]; return both && deployment(o) })
}

// untouched are the objects that can go, and that the fleet has as upstream has them.
func (s *simulation) untouched() (names []string) {
	for _, name := range s.model.upstream.spare() {
		if slices.Contains(s.model.local.spare(), name) && maps.Equal(s.model.upstream[name].fields, s.model.local[name].fields) {
			names = append(names, name)
		}
	}
	return names
}

// localEdit edits an object of the fleet, and commits that: an update wants a clean work tree.
func (s *simulation) localEdit(name, field, value string) error {
	files, err := s.edited(name, field, value)
	if err != nil {
		return err
	}
	if err := writeFiles(s.shop(), files); err != nil {
		return err
	}
	if _, err := s.render(", local edit"); err != nil {
		return err
	}
	_, err = s.git(s.fleet(), "commit", "--quiet", "--message", "local edit of "+name)
	return err
}

// follow publishes next, updates the fleet's package to it, and delivers that. Where the model sees a conflict, and only there,
// the update must refuse at first, and change nothing.
func (s *simulation) follow(next pkg) error {
	if err := s.release(0, "shop", s.model.upstream, next); err != nil {
		return err
	}
	merged, conflicts := mergeFields(s.model.base, next, s.model.local)
	update := []string{"pkg", "update", fmt.Sprintf("fleet/shop@shop/v%d", s.versions[0]), "--on-conflict"}
	out, err := s.measured("pkg update", s.command(s.dir, s.binary, append(update, "fail")...))
	if err != nil {
		return err
	}
	if err := s.law(lawMerge, out.code == min(1, len(conflicts)), "exit code %d; the model has conflicts in %v: %s",
		out.code, conflicts, tail(out.stderr)); err != nil {
		return err
	}
	if len(conflicts) > 0 {
		if err := s.unchanged("pkg update, refused"); err != nil {
			return err
		}
		if _, err := s.waybill("pkg update, local side", 0, append(update, "local")...); err != nil {
			return err
		}
	}
	s.model.base, s.model.upstream, s.model.local = next, next, merged
	return s.deliver(s.push)
}

// release publishes the next revision of a package. Files of objects that changed are written anew, those of objects that are
// gone are deleted.
func (s *simulation) release(which int, name string, before, next pkg) error {
	files := map[string]string{}
	for _, o := range next {
		files[s.file(o.name)] = o.text()
	}
	for gone := range before {
		if _, still := next[gone]; !still {
			files[s.file(gone)] = ""
		}
	}
	if err := writeFiles(filepath.Join(s.dir, "upstream", name), files); err != nil {
		return err
	}
	s.versions[which]++
	tag := fmt.Sprintf("%s/v%d", name, s.versions[which])
	return s.publish("upstream", tag, tag)
}

// unchanged wants the fleet's work tree to be as it was committed.
func (s *simulation) unchanged(what string) error {
	status, err := s.git(s.fleet(), "status", "--porcelain")
	if err != nil {
		return err
	}
	return s.law(lawKeep, status == "", "%s changed files:\n%s", what, head(status))
}

// complete wants every committed file of the fleet to be there.
func (s *simulation) complete(what string) error {
	gone, err := s.git(s.fleet(), "ls-files", "--deleted")
	if err != nil {
		return err
	}
	return s.law(lawKeep, gone == "", "%s deleted files:\n%s", what, head(gone))
}

// head is the beginning of a long text.
func head(text string) string { return text[:min(len(text), 600)] }
