package correspond

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// tagsOnly is old with the tags of what is wanted, and nothing else of it.
func (w *want) tagsOnly(old *yaml.Node) *yaml.Node {
	tags := krm.MapNode()
	for _, field := range []string{"labels", "annotations"} {
		if m := krm.Lookup(w.root, "metadata", field); isMap(m) {
			ours := without(m.Content, func(name string) bool { return !isOurs(name) })
			tags.Content = append(tags.Content, krm.StringNode(field), krm.MapNode(ours...))
		}
	}
	return (&merger{}).value(old, nil, krm.MapNode(krm.StringNode("metadata"), tags), "")
}

// onDelete is the change for an object that is not to be updated: its tags, at most.
func (w *want) onDelete(c *change, old *yaml.Node) *change {
	c.state, c.inItem = nil, false
	tagged := w.tagsOnly(old)
	if tagged != old {
		c.become(w.it, tagged)
		return c
	}
	if w.merged(old, readState(w.last, w.e.WithStatus)) == old {
		return nil
	}
	c.action, c.reason, c.object = ActionKeep, ReasonOnDelete, w.it.object
	return c
}

// afresh is what is wanted as if it were new, in the form and with the package's annotations of old.
func (w *want) afresh(old *yaml.Node) *yaml.Node {
	annotations := krm.Lookup(old, "metadata", "annotations")
	for i := 0; isMap(annotations) && i+1 < len(annotations.Content); i += 2 {
		name := annotations.Content[i].Value
		if krm.BelongsToPackage(name) || name == KeepAnnotation {
			setIn(w.root, "annotations", name, plainCopy(annotations.Content[i+1]))
		}
	}
	return inForm(old, w.root)
}

// orphan is o without anything that says that it belongs to g.
func (e *edgeRun) orphan(o *krm.Object, g *group) *krm.Object {
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
	dropFrom(meta, "labels", func(m *yaml.Node) []*yaml.Node {
		return without(m.Content, func(name string) bool { return name == MapKeyLabel || slices.Contains(e.MarkNames, name) })
	})
	dropFrom(meta, "ownerReferences", func(m *yaml.Node) (kept []*yaml.Node) {
		for _, ref := range m.Content {
			if nameOfReference(ref) != referenceTo(g.Owner) {
				kept = append(kept, ref)
			}
		}
		return kept
	})
	return c
}

// dropFrom keeps some of what is in a field of a map that is ours; a field that this empties goes.
func dropFrom(meta *yaml.Node, field string, keep func(*yaml.Node) []*yaml.Node) {
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
		krm.SetField(meta, field, withContent(m, kept))
	}
}

// referenceTo is the name by which nameOfReference knows an owner; "" when there is none.
func referenceTo(owner string) string {
	_, id, err := ParseKey(owner)
	if err != nil {
		return ""
	}
	return strings.Join([]string{id.Group, id.Kind, id.Name}, "\x00")
}

// controlledByAnother reports whether an owner reference says that something else than owner controls o.
// An owner that was made again, with another uid, is the same.
func controlledByAnother(o *krm.Object, owner string) bool {
	ref := controllerOf(o)
	return ref != nil && nameOfReference(ref) != referenceTo(owner)
}

// refer gives an output, which is ours, a controller reference to its owner, if the owner has a uid,
// it may be referred to from there, and it is not referred to yet.
func refer(root *yaml.Node, g *group, output krm.ID) {
	o := g.OwnerObject
	if o == nil && g.Owner == g.Key {
		o = g.Input
	}
	if o == nil || o.String("metadata", "uid") == "" || o.Namespace() != "" && o.Namespace() != output.Namespace {
		return
	}
	refs := krm.Lookup(root, "metadata", "ownerReferences")
	for _, ref := range itemsOf(refs) {
		if nameOfReference(ref) == referenceTo(g.Owner) {
			return
		}
	}
	if !isList(refs) {
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
