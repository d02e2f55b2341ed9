package applyset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// desired is one output as its Projection returned it.
type desired struct {
	ref  Ref
	root *yaml.Node // a copy, without what a Projection does not decide
	file string
}

// newDesired checks and copies an output of g. i is its index in the Outcome.
func (e *edgeState) newDesired(v *View, g *group, i int, o *krm.Object) (desired, error) {
	if o == nil {
		return desired{}, fmt.Errorf("outputs[%d] is null", i)
	}
	for _, part := range []struct{ field, value string }{
		{"apiVersion", o.APIVersion()}, {"kind", o.Kind()}, {"metadata.name", o.Name()},
	} {
		if part.value == "" {
			return desired{}, fmt.Errorf("outputs[%d] has no %s", i, part.field)
		}
	}
	d := desired{ref: Ref{Place: e.Place, ID: v.ref(o).ID}, file: o.File(), root: threeway.PlainCopy(o.Node())}
	for _, field := range []string{"labels", "annotations"} {
		if n := krm.Lookup(d.root, "metadata", field); n != nil && !krm.IsMap(n) && !krm.IsNull(n) {
			return desired{}, fmt.Errorf("outputs[%d]: metadata.%s is not a map", i, field)
		}
	}
	switch {
	case len(e.OutputTypes) == 0 || slices.Contains(e.OutputTypes, groupKind(d.ref.ID)):
	case g.redact:
		return desired{}, fmt.Errorf("outputs[%d] has a type that is not an output type", i)
	default:
		return desired{}, fmt.Errorf("outputs[%d] is a %s, which is not an output type", i, groupKind(d.ref.ID))
	}
	if controlledByAnother(o, g.Owner) { // the next run would take it for another controller's
		return desired{}, fmt.Errorf("outputs[%d] names a controller other than its owner in metadata.ownerReferences", i)
	}
	threeway.RemoveSystemFields(d.root)
	return d, nil
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
		threeway.SetMetadata(root, "labels", name, krm.StringNode(labels[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		threeway.SetMetadata(root, "annotations", name, threeway.Quoted(all[name]))
	}
}

// withTagsOnly is old with the tags of the desired object and none of its content.
func (t *target) withTagsOnly(old *yaml.Node) *yaml.Node {
	tags := krm.MapNode()
	for _, field := range []string{"labels", "annotations"} {
		if m := krm.Lookup(t.root, "metadata", field); krm.IsMap(m) {
			ours := threeway.WithoutFields(m.Content, func(name string) bool { return !threeway.IsReserved(name) })
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
	meta := krm.Lookup(c.Node(), "metadata")
	if meta == nil {
		return c
	}
	threeway.FilterField(meta, "labels", func(content []*yaml.Node) []*yaml.Node {
		return threeway.WithoutFields(content, func(name string) bool {
			return name == MapKeyLabel || slices.Contains(e.MarkNames, name)
		})
	})
	threeway.FilterField(meta, "ownerReferences", func(refs []*yaml.Node) []*yaml.Node {
		return slices.DeleteFunc(slices.Clone(refs), func(ref *yaml.Node) bool { return refersTo(ref, g.Owner) })
	})
	return c
}

// refersTo reports whether an owner reference names an owner. A recreated owner, with another uid, is the same.
func refersTo(ref *yaml.Node, owner string) bool {
	name := ""
	if _, id, err := ParseKey(owner); err == nil {
		name = strings.Join([]string{id.Group, id.Kind, id.Name}, "\x00")
	}
	return threeway.ReferenceName(ref) == name
}

// controlledByAnother reports whether an owner reference says that another object than owner controls o.
func controlledByAnother(o *krm.Object, owner string) bool {
	ref := threeway.ControllerReference(o)
	return ref != nil && !refersTo(ref, owner)
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
	if slices.ContainsFunc(threeway.ItemsOf(refs), func(ref *yaml.Node) bool { return refersTo(ref, g.Owner) }) {
		return
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
