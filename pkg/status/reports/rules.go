package reports

import (
	"path"
	"strings"
)

// target is the object of a rule, without a version.
type target struct{ group, resource, namespace, name string }

// requested is what the feedback rules for a manifest request. The zero value is for a work without rules about it.
type requested struct {
	at        int               // index of the configuration in the work
	paths     map[string]string // JSON paths by the name that the value will have
	wellKnown bool              // the values that the agent knows for the kind are requested, too
}

// rules are the feedback rules of a work. Agents use the first configuration that matches a manifest and has feedback rules.
type rules struct {
	exact    map[target]requested
	patterns []pattern
}

// pattern has the rules for all objects whose namespace and name match.
type pattern struct {
	target
	requested
}

// rulesOf reads the feedback rules of a work.
func rulesOf(obj map[string]any) rules {
	r := rules{exact: map[target]requested{}}
	for i, c := range list(child(obj, "spec"), "manifestConfigs") {
		config, _ := c.(map[string]any)
		if len(list(config, "feedbackRules")) == 0 {
			continue
		}
		ref, a := child(config, "resourceIdentifier"), requestedBy(config)
		a.at = i
		t := target{text(ref, "group"), text(ref, "resource"), text(ref, "namespace"), text(ref, "name")}
		if strings.Contains(t.namespace+t.name, "*") {
			r.patterns = append(r.patterns, pattern{t, a})
		} else if _, twice := r.exact[t]; !twice {
			r.exact[t] = a
		}
	}
	return r
}

// requestedBy is what one configuration requests; of two paths with one name the first counts.
func requestedBy(config map[string]any) requested {
	a := requested{paths: map[string]string{}}
	for _, r := range list(config, "feedbackRules") {
		rule, _ := r.(map[string]any)
		a.wellKnown = a.wellKnown || text(rule, "type") == "WellKnownStatus"
		for _, p := range list(rule, "jsonPaths") {
			jsonPath, _ := p.(map[string]any)
			if name := text(jsonPath, "name"); a.paths[name] == "" {
				a.paths[name] = text(jsonPath, "path")
			}
		}
	}
	return a
}

// of returns what is requested for one object.
func (r rules) of(id Identity) requested {
	exact, named := r.exact[target{id.Group, id.Resource, id.Namespace, id.Name}]
	for _, p := range r.patterns {
		if named && exact.at < p.at {
			break
		}
		if p.group == id.Group && p.resource == id.Resource && matches(p.namespace, id.Namespace) && matches(p.name, id.Name) {
			return p.requested
		}
	}
	return exact
}

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}
