package namesubstring

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// correctRule corrects the resource names in a rule of a role. A name that occurs several times is looked
// up once.
func (r *renamer) correctRule(rule *yaml.Node, from string) {
	groups, resources := texts(rule, "apiGroups"), texts(rule, "resources")
	var allowed []kindOf
	for kind, plural := range r.resources {
		if holds(groups, kind.group) && holds(resources, plural) {
			allowed = append(allowed, kind)
		}
	}
	known := map[string]bool{}
	edit.Visit(rule, "resourceNames", func(name *yaml.Node) {
		means, asked := known[name.Value]
		if !asked {
			means = slices.ContainsFunc(allowed, func(k kindOf) bool { return r.isRenamed(k.group, k.kind, from, name.Value) })
			known[name.Value] = means
		}
		if means && edit.IsText(name) {
			r.setNew(name)
		}
	})
}

func texts(n *yaml.Node, list string) (out []string) {
	edit.Visit(krm.Lookup(n, list), "", func(v *yaml.Node) { out = append(out, v.Value) })
	return out
}

// holds reports whether a list of a rule matches word.
func holds(list []string, word string) bool {
	return slices.Contains(list, word) || slices.Contains(list, "*")
}
