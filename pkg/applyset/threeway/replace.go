package threeway

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Owned says what Replace removes from observed where desired lacks it.
type Owned struct {
	Fields     []string               // at the top level
	Name       func(name string) bool // labels and annotations
	References bool                   // owner references
}

// Replace is observed with all top-level fields of desired, except that metadata merges. It keeps the other fields unless
// they are owned. The result is observed itself where nothing changes.
func Replace(observed, desired *yaml.Node, owned Owned) *yaml.Node {
	inDesired, inObserved := fieldsOf(desired), fieldsOf(observed)
	kept, changed := make([]*yaml.Node, 0, len(observed.Content)), false
	for i := 0; i+1 < len(observed.Content); i += 2 {
		name, have := observed.Content[i].Value, observed.Content[i+1]
		v := inDesired.Get(name)
		switch {
		case v == nil && slices.Contains(owned.Fields, name):
			changed = true
			continue
		case v == nil:
		case name == "metadata":
			v = (&merger{}).value(have, owned.metadata(have), v, "metadata")
			changed, have = changed || v != krm.Deref(have), v
		case !sameData(have, v):
			changed, have = true, KeepForm(krm.Deref(have), v)
		}
		kept = append(kept, observed.Content[i], have)
	}
	for i := 0; i+1 < len(desired.Content); i += 2 {
		if inObserved.Get(desired.Content[i].Value) == nil {
			kept, changed = append(kept, desired.Content[i], desired.Content[i+1]), true
		}
	}
	if !changed {
		return observed
	}
	return withContent(observed, kept)
}

// metadata is the owned part of a metadata, which the merge treats as last applied.
func (o Owned) metadata(have *yaml.Node) *yaml.Node {
	own := krm.MapNode()
	for _, field := range []string{"labels", "annotations"} {
		if m := krm.Lookup(have, field); krm.IsMap(m) {
			names := WithoutFields(m.Content, func(name string) bool { return IsReserved(name) || !o.Name(name) })
			own.Content = append(own.Content, krm.StringNode(field), krm.MapNode(names...))
		}
	}
	if refs := krm.Lookup(have, "ownerReferences"); refs != nil && o.References {
		own.Content = append(own.Content, krm.StringNode("ownerReferences"), refs)
	}
	return own
}
