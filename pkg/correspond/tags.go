package correspond

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/correspond/threeway"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Names that a run reads and writes on outputs. All names that begin with fn.ReservedPrefix are reserved: a Projection
// cannot set them.
const (
	MapKeyLabel          = fn.ReservedPrefix + "map-key"
	InputAnnotation      = fn.ReservedPrefix + "input"
	OwnerAnnotation      = fn.ReservedPrefix + "owner"
	ControllerAnnotation = fn.ReservedPrefix + "controller"
	EdgeAnnotation       = fn.ReservedPrefix + "edge"
	// KeepAnnotation "true" on an output makes Run orphan it instead of deleting it.
	KeepAnnotation = fn.ReservedPrefix + "keep"
	// LastKnownAnnotation holds what was last applied.
	LastKnownAnnotation = fn.ReservedPrefix + "last-known"
	// AdoptedAnnotation says that the object existed before it became an output, and how it was adopted: Preserve, which
	// tolerates changes by other clients, or Converge. Run never deletes an object that has it, but orphans it.
	AdoptedAnnotation = fn.ReservedPrefix + "adopted"
)

// Tags identify the owner and the input of an output. "" stands for a missing tag.
type Tags struct {
	Controller, Owner, Edge, Input string
	MapKey                         string // the label
}

// TagsOf reads the tags of o.
func TagsOf(o *krm.Object) (t Tags) {
	m := o.Lookup("metadata", "annotations")
	if m == nil || m.Kind != yaml.MappingNode {
		return Tags{MapKey: o.String("metadata", "labels", MapKeyLabel)}
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if to := t.field(m.Content[i].Value); to != nil {
			*to = threeway.ScalarText(m.Content[i+1])
		}
	}
	t.MapKey = o.String("metadata", "labels", MapKeyLabel)
	return t
}

func (t *Tags) field(annotation string) *string {
	if !strings.HasPrefix(annotation, fn.ReservedPrefix) {
		return nil
	}
	switch annotation {
	case ControllerAnnotation:
		return &t.Controller
	case OwnerAnnotation:
		return &t.Owner
	case EdgeAnnotation:
		return &t.Edge
	case InputAnnotation:
		return &t.Input
	}
	return nil
}

// complete reports whether all annotations are set.
func (t Tags) complete() bool {
	return t.Controller != "" && t.Owner != "" && t.Edge != "" && t.Input != ""
}

// agrees reports whether every annotation that is set equals that of want.
func (t Tags) agrees(want Tags) bool {
	same := func(have, want string) bool { return have == "" || have == want }
	return same(t.Controller, want.Controller) && same(t.Owner, want.Owner) && same(t.Edge, want.Edge) && same(t.Input, want.Input)
}

// ownedAs reports whether the annotations that determine ownership equal those of want.
func (t Tags) ownedAs(want Tags) bool {
	return t.Controller == want.Controller && t.Owner == want.Owner && t.Edge == want.Edge
}

// whose names the owner of an output in a message.
func (t Tags) whose() string {
	known := func(s string) string {
		if s == "" {
			return "unknown"
		}
		return s
	}
	return "controller " + known(t.Controller) + ", owner " + known(t.Owner) + ", input " + known(t.Input)
}
