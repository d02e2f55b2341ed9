package applyset

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Edge is one rule: from which inputs, owned by which objects, which outputs are made, and how. Several Edges of one run
// with the same Controller, Name and Place are an error. Zero values mean the safe choice.
type Edge struct {
	// Verb begins every message: "translate", "map" or "sync".
	Verb string
	// Controller is the name of the configuration that requests the outputs. Required; it must not change, or all outputs
	// look like another controller's.
	Controller string
	// Name distinguishes the rules of one controller. Defaults to "out".
	Name string
	// Place is where outputs are; the keys of inputs may name another place. See View.Ref.
	Place string
	// GeneratedBy, if set, is the function that makes the outputs; other functions recognise them by it.
	GeneratedBy string
	// Stamp are more annotations below waybill.dev/ that every output gets.
	Stamp map[string]string
	// MarkNames are the names that Marks of inputs may have: an orphaned output loses them.
	MarkNames []string

	// Inputs are the selected objects, in any order. Run excludes an input that is an output of its own owner. Of two with
	// one key and owner the first by file, index and content counts.
	Inputs []Input
	// Owners are the owners that exist, with inputs or without. Nil: every input owns its outputs.
	Owners []Owner
	// InputTypes are the types that inputs may have. Nil: any. Outputs of an input of another type are kept unless
	// AllowEmpty.
	InputTypes []schema.GroupKind
	// OutputTypes are the types that outputs may have. Nil: any. Another type is an error of its key; existing outputs of
	// another type are kept unless AllowEmpty.
	OutputTypes []schema.GroupKind

	// Project gives the outputs of one input. Required.
	Project Projection
	// Tombstone says which outputs stay of a group whose input is gone. Nil: none.
	Tombstone Projection
	// Parallel is how many Projections may run at a time. Defaults to 1.
	Parallel int
	// Validate checks a change of an existing object; new is the object after it. An error fails the key. Nil: every change
	// is valid.
	Validate func(g *Group, old, new *krm.Object) error

	// Merge is how an existing object becomes the desired one.
	Merge Merge
	// Drift says what ThreeWay does with fields that another client changed.
	Drift Drift
	// WholeLists makes every list one value; otherwise ThreeWay merges lists of named items by name.
	WholeLists bool
	// State is where ThreeWay keeps what was last applied.
	State StateStore
	// SecretTypes are treated as Secrets are: a stored state never holds their values.
	SecretTypes []schema.GroupKind
	// AnnotationsAlone lets outputs be deleted although their label contradicts their annotations. Otherwise they stay,
	// with an error.
	AnnotationsAlone bool
	// OwnFields are top-level fields that Replace removes where an output lacks them.
	OwnFields []string
	// OwnNames are prefixes of labels and annotations that Replace removes where an output lacks them.
	OwnNames []string
	// OwnReferences makes Replace remove owner references that an output lacks, and fields of the others.
	OwnReferences bool

	// UpdateOf says how a differing object is brought up to date. Nil: in place.
	UpdateOf func(krm.ID) Update
	// After are names of earlier Edges of this controller. Their outputs for the same owner are made before these, and
	// deleted after them.
	After []string
	// DeleteFirst orders deletions before creations and changes. Otherwise they come last.
	DeleteFirst bool
	// Adopt says what to do with a desired object that exists and is not known to be an output by its annotations for
	// controller, owner and edge. An input of the same owner, and an object that owns outputs, is never adopted. An adopted
	// object is never deleted: instead, Run removes its tags.
	Adopt Adoption
	// AdoptBy says in the error of Never how adoption is allowed. Defaults to "allow adoption".
	AdoptBy string
	// DeleteAdopted deletes adopted outputs like others. It is for objects that hold nothing but generated content.
	DeleteAdopted bool

	// View says whether an input that is not among Inputs is known to be deleted.
	View Extent
	// AllowEmpty lets outputs be deleted although no input of their type exists any more, or their owner does not, or
	// selects none of the type.
	AllowEmpty bool
	// MaxDeletions bounds the deletions of one run, for all Edges of this controller together; above it nothing of that
	// controller changes.
	MaxDeletions Limit
}

// Input is one object that outputs are made of.
type Input struct {
	// Key is its canonical key: Key(Object), or KeyIn where clusters are involved. Required.
	Key string
	// Owner is the canonical key of the object whose existence justifies the outputs. Defaults to Key.
	Owner string
	// Object is the input. It may be nil where the input is no object, such as settings.
	Object *krm.Object
	// Marks are more labels and annotations below waybill.dev/ that outputs of this input get.
	Marks Marks
}

// Marks are labels and annotations.
type Marks struct{ Labels, Annotations map[string]string }

// Owner is an object that owns outputs made of other objects.
type Owner struct {
	// Key is its canonical key. Required.
	Key string
	// Object is the owner; its uid, if any, is what references name. It may be nil.
	Object *krm.Object
	// Hold keeps all its outputs as they are and reports nothing, for example while it is being deleted.
	Hold bool
	// MayBeEmpty lets outputs be deleted although the owner has no input of their input's type any more.
	MayBeEmpty bool
	// Unmatched explains why the owner has no input of a type, in the message that outputs are kept for that reason. Nil:
	// "".
	Unmatched func(schema.GroupKind) string
}

// View is the input of one run.
type View struct {
	// Items are all objects: inputs, owners, earlier outputs and others, in any order. Run changes none of them.
	Items []*krm.Object
	// Ref identifies an item; nil: its ID as written, in no particular place. Set it where a missing namespace means a
	// certain one, or where two sides share one list.
	Ref func(*krm.Object) Ref
	// Live says that this is no file tree: every output gets a controller reference to its owner if the owner has a uid and
	// namespaces permit it, unless its Projection already set one, or it was adopted.
	Live bool
	// MayBeOutput says whether an item can be an output at all, whatever its tags say; nil: every item can. Where other
	// clients write items, tags prove nothing.
	MayBeOutput func(*krm.Object) bool
	// LastKnown reads what was last applied from the caller's store, for runs that keep it outside of the items. If it is
	// set, Run reads states that are not in annotations from it alone and writes no state item: the caller stores the State
	// of each Operation that it executes. It returns nil for not known.
	LastKnown func(controller, owner, edge string, output Ref) []byte
}

func (v *View) ref(o *krm.Object) Ref {
	if v.Ref == nil {
		return Ref{ID: o.ID()}
	}
	return v.Ref(o)
}
