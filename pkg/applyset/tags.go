package applyset

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
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

// IsKept reports whether an output is orphaned instead of deleted. A value of KeepAnnotation that is neither "true" nor "false"
// is a typing error, and keeps it, too.
func IsKept(o *krm.Object) bool {
	value := o.Annotation(KeepAnnotation)
	return value != "" && value != "false"
}

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
	known := func(s string) string { return cmp.Or(s, "unknown") }
	return "controller " + known(t.Controller) + ", owner " + known(t.Owner) + ", input " + known(t.Input)
}

// Key is the canonical key of o: group/Kind/namespace/name with empty parts kept. It has no version and no uid, so that
// files and clusters agree and a recreated object has the same key.
func Key(o *krm.Object) string { return o.ID().String() }

// KeyIn is the canonical key of an object in one of several clusters; "" is no particular cluster.
func KeyIn(cluster string, id krm.ID) string {
	if cluster == "" {
		return id.String()
	}
	return cluster + "|" + id.String()
}

// MapKey is the label value for a canonical key: selectable, never parsed.
func MapKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "m1-" + hex.EncodeToString(sum[:])[:40]
}

// ParseKey parses a canonical key. The text before a "|" is a cluster only if it can be one: a name, the last part of a
// key, may contain a "|" as well.
func ParseKey(key string) (cluster string, id krm.ID, err error) {
	rest := key
	if before, after, found := strings.Cut(key, "|"); found && !strings.Contains(before, "/") {
		cluster, rest = before, after
	}
	parts := strings.SplitN(rest, "/", 4)
	if len(parts) != 4 || parts[1] == "" || parts[3] == "" {
		return "", krm.ID{}, fmt.Errorf("%q is not a canonical key: want group/Kind/namespace/name", key)
	}
	return cluster, krm.ID{Group: parts[0], Kind: parts[1], Namespace: parts[2], Name: parts[3]}, nil
}

// Generation identifies what an object of an API server requests. It includes the annotation that allows an empty
// selection, which API servers do not count in the generation.
func Generation(o *krm.Object) string {
	return o.String("metadata", "uid") + "/" + o.String("metadata", "generation") + "/" + o.Annotation(selection.Annotation)
}

// Ref identifies an object: its identity, and in which of several places it is.
type Ref struct {
	// Place distinguishes sides, clusters or workspaces; "" where there is only one.
	Place string
	krm.ID
}

// String is the canonical key: "<place>|" if there is one, then group/Kind/namespace/name.
func (r Ref) String() string { return KeyIn(r.Place, r.ID) }
