package schema

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Kind is a kind in one version of its group.
type Kind struct{ APIVersion, Kind string }

// Defined returns the types of the kinds of a CustomResourceDefinition, nil for other objects.
func Defined(o *krm.Object) map[Kind]*Type {
	if !o.Is("apiextensions.k8s.io", "CustomResourceDefinition") {
		return nil
	}
	out := map[Kind]*Type{}
	group, kind := o.String("spec", "group"), o.String("spec", "names", "kind")
	for _, v := range items(o.Lookup("spec", "versions")) {
		whole := krm.Lookup(v, "schema", "openAPIV3Schema")
		if whole == nil { // before v1 all versions could share one
			whole = o.Lookup("spec", "validation", "openAPIV3Schema")
		}
		if name := krm.Lookup(v, "name"); name != nil {
			out[Kind{group + "/" + name.Value, kind}] = withMetadata(typeOf(whole))
		}
	}
	return out
}

// withMetadata returns t with the metadata of every object, whatever the definition.
func withMetadata(t *Type) *Type {
	if t == nil {
		t = Map(nil)
	}
	c := *t
	c.fields = map[string]*Type{}
	for name, f := range t.fields {
		c.fields[name] = f
	}
	c.fields["metadata"] = Builtin("v1", "ConfigMap").Field("metadata")
	return &c
}

func typeOf(n *yaml.Node) *Type {
	n = krm.Deref(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	t := &Type{fields: map[string]*Type{}, others: typeOf(krm.Lookup(n, "additionalProperties"))}
	if properties := krm.Lookup(n, "properties"); properties != nil && properties.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(properties.Content); i += 2 {
			t.fields[properties.Content[i].Value] = typeOf(properties.Content[i+1])
		}
	}
	t.list(n)
	return t
}

// list fills in how a list merges. A list without the fields for it is one value.
func (t *Type) list(n *yaml.Node) {
	text := func(field string) string {
		if v := krm.Lookup(n, field); v != nil {
			return v.Value
		}
		return ""
	}
	switch text("x-kubernetes-list-type") {
	case "set":
		t.merges = true
	case "map":
		for _, key := range items(krm.Lookup(n, "x-kubernetes-list-map-keys")) {
			t.keys = append(t.keys, krm.Deref(key).Value)
		}
		t.merges = len(t.keys) > 0
	case "":
		if key := text("x-kubernetes-patch-merge-key"); key != "" {
			t.merges, t.keys = true, []string{key}
		}
	}
	if t.merges {
		t.items = typeOf(krm.Lookup(n, "items"))
	}
}

func items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}
