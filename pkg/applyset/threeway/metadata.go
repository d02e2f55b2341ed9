package threeway

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// serverFields are the fields of metadata that only an API server writes.
var serverFields = []string{
	"selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "managedFields", "generateName",
}

// RemoveSystemFields removes from an object, in place, what is not content: fields that servers write, status, reserved
// names, and what is about its file. It also removes a map that becomes empty.
func RemoveSystemFields(root *yaml.Node) {
	krm.RemoveField(root, "status")
	meta := krm.Lookup(root, "metadata")
	if !krm.IsMap(meta) {
		return
	}
	for _, field := range serverFields {
		krm.RemoveField(meta, field)
	}
	for _, field := range []string{"labels", "annotations"} {
		m := krm.Lookup(meta, field)
		if krm.IsMap(m) {
			m.Content = WithoutFields(m.Content, IsReserved)
		}
		if m != nil && len(m.Content) == 0 {
			krm.RemoveField(meta, field)
		}
	}
}

// IsReserved reports whether a label or annotation is not part of the object's content.
func IsReserved(name string) bool {
	return strings.HasPrefix(name, fn.ReservedPrefix) || krm.BelongsToPackage(name)
}

// WithoutFields is the content of a map except the fields to drop.
func WithoutFields(content []*yaml.Node, drop func(name string) bool) []*yaml.Node {
	kept := content[:0:0]
	for i := 0; i+1 < len(content); i += 2 {
		if !drop(content[i].Value) {
			kept = append(kept, content[i], content[i+1])
		}
	}
	return kept
}

// FilterField keeps part of the content of a field of a map, in place; it removes a field that becomes empty.
func FilterField(m *yaml.Node, field string, keep func(content []*yaml.Node) []*yaml.Node) {
	n := krm.Lookup(m, field)
	if n == nil || n.Kind == yaml.ScalarNode {
		return
	}
	kept := keep(n.Content)
	switch {
	case len(kept) == len(n.Content):
	case len(kept) == 0:
		krm.RemoveField(m, field)
	default:
		krm.SetField(m, field, withContent(n, kept))
	}
}

// Quoted is a text in single quotes, as kpt writes annotations.
func Quoted(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: yaml.SingleQuotedStyle}
}

// SetMetadata sets a label or annotation of an object, in place.
func SetMetadata(root *yaml.Node, field, name string, value *yaml.Node) {
	if !krm.IsMap(krm.Lookup(root, "metadata")) {
		krm.SetField(root, "metadata", krm.MapNode())
	}
	m := krm.Lookup(root, "metadata", field)
	if !krm.IsMap(m) {
		m = krm.MapNode()
		krm.SetField(krm.Lookup(root, "metadata"), field, m)
	}
	if len(m.Content) == 0 {
		m.Style &^= yaml.FlowStyle
	}
	krm.SetField(m, name, value)
}

// ControllerReference is the owner reference of an object's controller; nil when it has none.
func ControllerReference(o *krm.Object) *yaml.Node {
	refs := o.Lookup("metadata", "ownerReferences")
	if !krm.IsList(refs) {
		return nil
	}
	for _, ref := range refs.Content {
		if ScalarText(krm.Lookup(ref, "controller")) == "true" {
			return ref
		}
	}
	return nil
}
