package correspond

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// replaced is old with all outermost fields of what is wanted.
func (w *want) replaced(old *yaml.Node) *yaml.Node {
	inWanted, inOld := fieldsOf(w.root), fieldsOf(old)
	kept, changed := make([]*yaml.Node, 0, len(old.Content)), false
	for i := 0; i+1 < len(old.Content); i += 2 {
		name, have := old.Content[i].Value, old.Content[i+1]
		v := inWanted.get(name)
		switch {
		case v == nil && owns(w.e.OwnFields, name):
			changed = true
			continue
		case v == nil:
		case name == "metadata":
			v = (&merger{}).value(have, w.ownNames(have), v, name)
			changed, have = changed || v != krm.Deref(have), v
		case !sameData(have, v):
			changed, have = true, inForm(krm.Deref(have), v)
		}
		kept = append(kept, old.Content[i], have)
	}
	for i := 0; i+1 < len(w.root.Content); i += 2 {
		if inOld.get(w.root.Content[i].Value) == nil {
			kept, changed = append(kept, w.root.Content[i], w.root.Content[i+1]), true
		}
	}
	if !changed {
		return old
	}
	return withContent(old, kept)
}

func owns(fields []string, name string) bool {
	for _, f := range fields {
		if f == name {
			return true
		}
	}
	return false
}

// ownNames is a metadata with the labels, annotations and owner references of have that are the edge's
// own: as if they had been applied before.
func (w *want) ownNames(have *yaml.Node) *yaml.Node {
	own := krm.MapNode()
	for _, field := range []string{"labels", "annotations"} {
		m := krm.Lookup(have, field)
		if !isMap(m) {
			continue
		}
		names := without(m.Content, func(name string) bool { return !hasPrefix(name, w.e.OwnNames) })
		own.Content = append(own.Content, krm.StringNode(field), krm.MapNode(names...))
	}
	if refs := krm.Lookup(have, "ownerReferences"); refs != nil && w.e.OwnReferences {
		own.Content = append(own.Content, krm.StringNode("ownerReferences"), refs)
	}
	return own
}

func hasPrefix(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) && !isOurs(name) {
			return true
		}
	}
	return false
}
