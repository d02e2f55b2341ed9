package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// work is the part of a ManifestWork that the simulation reads.
type work struct {
	Metadata struct{ Namespace string }
	Spec     struct {
		Workload struct{ Manifests []map[string]any }
	}
}

// checkClusters compares the works of a package with the model: of all clusters, which have any; of a sample, each object of each.
func (s *simulation) checkClusters(dir string, e expectation) error {
	folders, err := os.ReadDir(filepath.Join(dir, "clusters"))
	if err != nil {
		return err
	}
	var have, want []string
	for _, folder := range folders {
		have = append(have, folder.Name())
	}
	for _, c := range e.clusters {
		want = append(want, c.name)
	}
	slices.Sort(want)
	if err := s.law(lawReceive, slices.Equal(have, want), "%d clusters have works, want %d", len(have), len(want)); err != nil {
		return err
	}
	for _, i := range s.random.Perm(len(e.clusters))[:min(s.sample, len(e.clusters))] {
		if err := s.checkCluster(dir, e, e.clusters[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkCluster compares what one cluster receives with what the model says, policy by policy.
func (s *simulation) checkCluster(dir string, e expectation, c cluster) error {
	folder := filepath.Join(dir, "clusters", c.name)
	bindings, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	policies, names := e.receives(c), []string(nil)
	for _, b := range bindings {
		names = append(names, b.Name())
	}
	if err := s.law(lawReceive, slices.Equal(names, policies), "%s has works of %v, want %v", c.name, names, policies); err != nil {
		return err
	}
	for _, policy := range policies {
		have, err := manifests(filepath.Join(folder, policy), c.name)
		if err != nil {
			return s.law(lawReceive, false, "%v", err)
		}
		want := e.of(c, policy)
		if err := s.law(lawReceive, reflect.DeepEqual(have, want), "%s, policy %s: %s", c.name, policy, difference(have, want)); err != nil {
			return err
		}
	}
	return nil
}

// manifests are the objects in the works of a folder, by kind and name. Two of one name, and a work of another cluster, are errors.
func manifests(folder, cluster string) (map[string]any, error) {
	out := map[string]any{}
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file) // #nosec G304 -- a file of our own folder
		if err != nil {
			return err
		}
		var w work
		if err := yaml.Unmarshal(data, &w); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if w.Metadata.Namespace != cluster {
			return fmt.Errorf("%s: it is for cluster %q", file, w.Metadata.Namespace)
		}
		if parts, err := splitWork(string(data)); err != nil || len(parts) != len(w.Spec.Workload.Manifests)+1 {
			return fmt.Errorf("%s: %d objects, and %d by indentation: %w", file, len(w.Spec.Workload.Manifests), len(parts)-1, err)
		}
		for _, o := range w.Spec.Workload.Manifests {
			metadata, isMap := o["metadata"].(map[string]any)
			key := fmt.Sprintf("%v/%v", o["kind"], metadata["name"])
			if _, twice := out[key]; twice || !isMap {
				return fmt.Errorf("%s: a second %s", file, key)
			}
			out[key] = o
		}
		return nil
	})
	return out, err
}

// difference names the first object that differs.
func difference(have, want map[string]any) string {
	keys := map[string]bool{}
	for _, side := range []map[string]any{have, want} {
		for key := range side {
			keys[key] = true
		}
	}
	for _, key := range sortedKeys(keys) {
		if !reflect.DeepEqual(have[key], want[key]) {
			return strings.TrimSpace(fmt.Sprintf("%s is %v, want %v", key, have[key], want[key]))
		}
	}
	return "no difference"
}

var errNoWork = errors.New("this is no ManifestWork as waybill writes it")

// splitWork splits the text of a ManifestWork into its objects, by kind and name, and the rest under "ManifestWork". It
// goes by indentation alone: works have one form, and there may be a gigabyte of them.
func splitWork(text string) (map[string]string, error) {
	head, rest, found := strings.Cut(text, "\n    manifests:\n")
	parts, begin, end := map[string]string{}, -1, 0
	for end < len(rest) && strings.HasPrefix(rest[end:], "    ") {
		if strings.HasPrefix(rest[end:], "    - ") {
			found = found && add(parts, rest, begin, end)
			begin = end
		}
		if next := strings.IndexByte(rest[end:], '\n'); next >= 0 {
			end += next + 1
		} else {
			end = len(rest)
		}
	}
	if !found || !add(parts, rest, begin, end) {
		return nil, errNoWork
	}
	parts["ManifestWork"] = head + rest[end:]
	return parts, nil
}

// add adds one object to parts, unless there is none yet. It reports false if parts has one of that name.
func add(parts map[string]string, text string, begin, end int) bool {
	if begin < 0 {
		return true
	}
	one := text[begin:end]
	key := line(one, "kind: ") + "/" + line(one, "  name: ")
	_, twice := parts[key]
	parts[key] = one
	return !twice
}

// line is the value of the first line of a manifest that begins with field.
func line(manifest, field string) string {
	_, rest, _ := strings.Cut(manifest, "\n      "+field)
	value, _, _ := strings.Cut(rest, "\n")
	return value
}
