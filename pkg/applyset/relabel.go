package applyset

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// withTagsOnly is old with the tags of the desired object and none of its content.
func (w *target) withTagsOnly(old *yaml.Node) *yaml.Node {
	tags := krm.MapNode()
	for _, field := range []string{"labels", "annotations"} {
		if m := krm.Lookup(w.root, "metadata", field); krm.IsMap(m) {
			ours := withoutFields(m.Content, func(name string) bool { return !isReserved(name) })
			tags.Content = append(tags.Content, krm.StringNode(field), krm.MapNode(ours...))
		}
	}
	return threeway.Merge(old, nil, krm.MapNode(krm.StringNode("metadata"), tags), threeway.Options{})
}

// withoutTags is o without everything that says that it belongs to g.
func (e *edgeState) withoutTags(o *krm.Object, g *group) *krm.Object {
	c := o.DeepCopy()
	c.RemoveAnnotations(func(name string) bool {
		_, stamped := e.Stamp[name]
		return stamped || slices.Contains(e.MarkNames, name) || isTag(name) && name != KeepAnnotation ||
			e.GeneratedBy != "" && (name == fn.GeneratedBy || name == fn.Origin)
	})
	root := c.Node()
	meta := krm.Lookup(root, "metadata")
	if meta == nil {
		return c
	}
	filterField(meta, "labels", func(m *yaml.Node) []*yaml.Node {
		return withoutFields(m.Content, func(name string) bool { return name == MapKeyLabel || slices.Contains(e.MarkNames, name) })
	})
	filterField(meta, "ownerReferences", func(m *yaml.Node) (kept []*yaml.Node) {
		for _, ref := range m.Content {
			if threeway.ReferenceName(ref) != ownerReferenceName(g.Owner) {
				kept = append(kept, ref)
			}
		}
		return kept
	})
	return c
}

// filterField keeps part of the content of a field of a map, in place; it removes a field that becomes empty.
func filterField(meta *yaml.Node, field string, keep func(*yaml.Node) []*yaml.Node) {
	m := krm.Lookup(meta, field)
	if m == nil || m.Kind == yaml.ScalarNode {
		return
	}
	kept := keep(m)
	switch {
	case len(kept) == len(m.Content):
	case len(kept) == 0:
		krm.RemoveField(meta, field)
	default:
		krm.SetField(meta, field, threeway.WithContent(m, kept))
	}
}

// ownerReferenceName is what threeway.ReferenceName gives for a reference to an owner; "" when there is none.
func ownerReferenceName(owner string) string {
	_, id, err := ParseKey(owner)
	if err != nil {
		return ""
	}
	return strings.Join([]string{id.Group, id.Kind, id.Name}, "\x00")
}

// controlledByAnother reports whether an owner reference says that another object than owner controls o. A recreated owner,
// with another uid, is the same.
func controlledByAnother(o *krm.Object, owner string) bool {
	ref := controllerOf(o)
	return ref != nil && threeway.ReferenceName(ref) != ownerReferenceName(owner)
}

// addOwnerReference adds to an output, in place, a controller reference to its owner, if the owner has a uid, namespaces
// permit it, and there is no reference to it yet.
func addOwnerReference(root *yaml.Node, g *group, output krm.ID) {
	o := g.OwnerObject
	if o == nil && g.Owner == g.Key {
		o = g.Input
	}
	if o == nil || o.String("metadata", "uid") == "" || o.Namespace() != "" && o.Namespace() != output.Namespace {
		return
	}
	refs := krm.Lookup(root, "metadata", "ownerReferences")
	for _, ref := range threeway.ItemsOf(refs) {
		if threeway.ReferenceName(ref) == ownerReferenceName(g.Owner) {
			return
		}
	}
	if !krm.IsList(refs) {
		refs = &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
		krm.SetField(krm.Lookup(root, "metadata"), "ownerReferences", refs)
	}
	yes := func() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "true"} }
	refs.Style &^= yaml.FlowStyle
	refs.Content = append(refs.Content, krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode(o.APIVersion()), krm.StringNode("kind"), krm.StringNode(o.Kind()),
		krm.StringNode("name"), krm.StringNode(o.Name()), krm.StringNode("uid"), krm.StringNode(o.String("metadata", "uid")),
		krm.StringNode("controller"), yes(), krm.StringNode("blockOwnerDeletion"), yes()))
}

// controllerOf is the owner reference of an object's controller; nil when it has none.
func controllerOf(o *krm.Object) *yaml.Node {
	refs := o.Lookup("metadata", "ownerReferences")
	if !krm.IsList(refs) {
		return nil
	}
	for _, ref := range refs.Content {
		if threeway.ScalarText(krm.Lookup(ref, "controller")) == "true" {
			return ref
		}
	}
	return nil
}

// setTags adds to an object, in place, the tags of g and more annotations.
func (e *edgeState) setTags(root *yaml.Node, g *group, more map[string]string) {
	labels, all := map[string]string{MapKeyLabel: g.MapKey}, map[string]string{}
	maps.Copy(labels, g.marks.Labels)
	for _, some := range []map[string]string{e.Stamp, g.marks.Annotations, more} {
		maps.Copy(all, some)
	}
	if e.GeneratedBy != "" {
		all[fn.GeneratedBy], all[fn.Origin] = e.GeneratedBy, g.Key
	}
	all[ControllerAnnotation], all[EdgeAnnotation] = g.Controller, g.Edge
	all[InputAnnotation], all[OwnerAnnotation] = g.Key, g.Owner
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		setMetadata(root, "labels", name, krm.StringNode(labels[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		setMetadata(root, "annotations", name, quoted(all[name]))
	}
}

// quoted is a text in single quotes, as kpt writes annotations.
func quoted(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: yaml.SingleQuotedStyle}
}

// setMetadata sets a label or annotation of an object, in place.
func setMetadata(root *yaml.Node, field, name string, value *yaml.Node) {
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
