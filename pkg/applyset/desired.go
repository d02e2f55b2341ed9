package applyset

import (
	"fmt"
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
			return desired{}, fmt.Errorf("outputs[%d]: metadata.%s is no map", i, field)
		}
	}
	switch {
	case len(e.OutputTypes) == 0 || slices.Contains(e.OutputTypes, groupKind(d.ref.ID)):
	case g.redact:
		return desired{}, fmt.Errorf("outputs[%d] is of a type that is no output type", i)
	default:
		return desired{}, fmt.Errorf("outputs[%d] is a %s, which is no output type", i, groupKind(d.ref.ID))
	}
	if controlledByAnother(o, g.Owner) { // the next run would take it for another controller's
		return desired{}, fmt.Errorf("outputs[%d] names a controller other than its owner in metadata.ownerReferences", i)
	}
	removeSystemFields(d.root, e.WithStatus)
	return d, nil
}

// serverFields are the fields of metadata that only an API server writes.
var serverFields = []string{
	"selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "managedFields", "generateName",
}

// removeSystemFields removes from an object, in place, what is not content: fields that servers write, status, reserved
// names, and what is about its file. It also removes a map that becomes empty.
func removeSystemFields(root *yaml.Node, withStatus bool) {
	if !withStatus {
		krm.RemoveField(root, "status")
	}
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
			m.Content = withoutFields(m.Content, isReserved)
		}
		if m != nil && len(m.Content) == 0 {
			krm.RemoveField(meta, field)
		}
	}
}

// isReserved reports whether a label or annotation is not part of the object's content.
func isReserved(name string) bool {
	return strings.HasPrefix(name, fn.ReservedPrefix) || krm.BelongsToPackage(name)
}

// withoutFields is the content of a map except the fields to drop.
func withoutFields(content []*yaml.Node, drop func(name string) bool) []*yaml.Node {
	kept := content[:0:0]
	for i := 0; i+1 < len(content); i += 2 {
		if !drop(content[i].Value) {
			kept = append(kept, content[i], content[i+1])
		}
	}
	return kept
}
