package correspond

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// desired is one output as its Projection wants it.
type desired struct {
	ref  Ref
	root *yaml.Node // our own copy, without anything that is not the Projection's to say
	file string
}

// prepare takes an output of g over. i is its place in the Outcome.
func (e *edgeRun) prepare(v *View, g *group, i int, o *krm.Object) (desired, error) {
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
	d := desired{ref: Ref{Place: e.Place, ID: v.ref(o).ID}, file: o.File(), root: plainCopy(o.Node())}
	for _, field := range []string{"labels", "annotations"} {
		if n := krm.Lookup(d.root, "metadata", field); n != nil && !isMap(n) && !isNull(n) {
			return desired{}, fmt.Errorf("outputs[%d]: metadata.%s is no map", i, field)
		}
	}
	switch {
	case len(e.OutputTypes) == 0 || slices.Contains(e.OutputTypes, groupKind(d.ref.ID)):
	case g.discreet:
		return desired{}, fmt.Errorf("outputs[%d] is of a type that is no output type", i)
	default:
		return desired{}, fmt.Errorf("outputs[%d] is a %s, which is no output type", i, groupKind(d.ref.ID))
	}
	if controlledByAnother(o, g.Owner) { // in the next run it would look like somebody else's
		return desired{}, fmt.Errorf("outputs[%d] names a controller other than its owner in metadata.ownerReferences", i)
	}
	clean(d.root, e.WithStatus)
	return d, nil
}

// systemFields are those of metadata that only an API server writes.
var systemFields = []string{
	"selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "managedFields", "generateName",
}

// clean takes from an object, which is ours, what is not content: what servers write, status, names
// that are ours, and what is about its file. A map that this empties goes, too.
func clean(root *yaml.Node, withStatus bool) {
	if !withStatus {
		krm.RemoveField(root, "status")
	}
	meta := krm.Lookup(root, "metadata")
	if !isMap(meta) {
		return
	}
	for _, field := range systemFields {
		krm.RemoveField(meta, field)
	}
	for _, field := range []string{"labels", "annotations"} {
		m := krm.Lookup(meta, field)
		if isMap(m) {
			m.Content = without(m.Content, isOurs)
		}
		if m != nil && len(m.Content) == 0 {
			krm.RemoveField(meta, field)
		}
	}
}

// isOurs reports whether a label or annotation is none of the object's content.
func isOurs(name string) bool {
	return strings.HasPrefix(name, fn.ReservedPrefix) || krm.BelongsToPackage(name)
}

// without is the fields of a map that are not to be dropped.
func without(content []*yaml.Node, drop func(name string) bool) []*yaml.Node {
	kept := content[:0:0]
	for i := 0; i+1 < len(content); i += 2 {
		if !drop(content[i].Value) {
			kept = append(kept, content[i], content[i+1])
		}
	}
	return kept
}

// stamp gives an object, which is ours, the tags of g and more annotations.
func (e *edgeRun) stamp(root *yaml.Node, g *group, more map[string]string) {
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
		setIn(root, "labels", name, krm.StringNode(labels[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		setIn(root, "annotations", name, quoted(all[name]))
	}
}

// quoted is a text in single quotes, as kpt writes annotations.
func quoted(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: yaml.SingleQuotedStyle}
}

// setIn sets a label or annotation of an object that is ours.
func setIn(root *yaml.Node, field, name string, value *yaml.Node) {
	m := krm.Lookup(root, "metadata", field)
	if !isMap(m) {
		m = krm.MapNode()
		krm.SetField(krm.Lookup(root, "metadata"), field, m)
	}
	if len(m.Content) == 0 {
		m.Style &^= yaml.FlowStyle
	}
	krm.SetField(m, name, value)
}
