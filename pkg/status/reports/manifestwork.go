package reports

import (
	"fmt"
	"path"
	"strings"
)

// readManifestWork makes a sighting of every manifest that the agent reports about. A manifest that
// the agent could not map to a resource names no object, and is passed over.
func readManifestWork(obj map[string]any) (seen []sighting, remarks []string, err error) {
	rules, updated := rulesOf(obj), lastUpdate(obj)
	known := map[Identity]bool{}
	for i, m := range list(child(child(obj, "status"), "resourceStatus"), "manifests") {
		manifest, isMap := m.(map[string]any)
		if !isMap {
			return nil, nil, fmt.Errorf("status.resourceStatus.manifests[%d]: want a map", i)
		}
		id := identityAt(child(manifest, "resourceMeta"))
		if id.missing() != "" || known[id] {
			continue
		}
		known[id] = true
		f := feedback{id: id, places: rules.of(id)}
		status, fields := f.status(manifest)
		for _, remark := range f.remarks {
			remarks = append(remarks, fmt.Sprintf("status.resourceStatus.manifests[%d] (%s): %s", i, id, remark))
		}
		seen = append(seen, sighting{id, Report{Known: true, Status: status, Fields: fields, Updated: updated}})
	}
	return seen, remarks, nil
}

// target is what a rule is about, without a version.
type target struct{ group, resource, namespace, name string }

// rules are the JSON paths that a work asks for, by the name that the value will have.
type rules struct {
	exact    map[target]map[string]string
	patterns []pattern
}

// pattern are the paths for all objects whose namespace and name match.
type pattern struct {
	target
	paths map[string]string
}

// rulesOf reads the feedback rules of a work.
func rulesOf(obj map[string]any) rules {
	r := rules{exact: map[target]map[string]string{}}
	for _, c := range list(child(obj, "spec"), "manifestConfigs") {
		config, _ := c.(map[string]any)
		ref := child(config, "resourceIdentifier")
		t := target{text(ref, "group"), text(ref, "resource"), text(ref, "namespace"), text(ref, "name")}
		paths := pathsOf(config)
		if len(paths) == 0 {
			continue
		}
		if strings.Contains(t.namespace+t.name, "*") {
			r.patterns = append(r.patterns, pattern{t, paths})
		} else if _, twice := r.exact[t]; !twice { // agents take the first
			r.exact[t] = paths
		}
	}
	return r
}

// pathsOf are the paths in one configuration; of two with one name the first counts.
func pathsOf(config map[string]any) map[string]string {
	paths := map[string]string{}
	for _, r := range list(config, "feedbackRules") {
		rule, _ := r.(map[string]any)
		for _, p := range list(rule, "jsonPaths") {
			jsonPath, _ := p.(map[string]any)
			if name := text(jsonPath, "name"); paths[name] == "" {
				paths[name] = text(jsonPath, "path")
			}
		}
	}
	return paths
}

// of returns the paths for one object: those of a rule that names it, else of the first that matches.
func (r rules) of(id Identity) map[string]string {
	if paths, named := r.exact[target{id.Group, id.Resource, id.Namespace, id.Name}]; named {
		return paths
	}
	for _, p := range r.patterns {
		if p.group == id.Group && p.resource == id.Resource && matches(p.namespace, id.Namespace) && matches(p.name, id.Name) {
			return p.paths
		}
	}
	return nil
}

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}
