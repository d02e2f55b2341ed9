package correspond

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Edge is one rule: of which inputs, owned by whom, which outputs are made, and how. All that Edges of
// one run have the same Controller, Name and Place is an error. What is not set means what is safe.
type Edge struct {
	// Verb begins every message: "translate", "map" or "sync".
	Verb string
	// Controller is the name of the configuration that asks for the outputs. Required; it must not
	// change, or all outputs look like somebody else's.
	Controller string
	// Name tells the rules of one controller apart. Defaults to "out".
	Name string
	// Place is where outputs are; Input keys may well name another. See View.Ref.
	Place string
	// GeneratedBy, if set, is the function that makes the outputs, for other functions to know them.
	GeneratedBy string
	// Stamp are more annotations below waybill.dev/ that every output gets.
	Stamp map[string]string
	// MarkNames are the names that Marks of inputs may have: what is let go of loses them.
	MarkNames []string

	// Inputs are those selected, in any order. One that is an output of its own owner is left out by
	// Run. Of two with one key and owner the first by file, index and content counts.
	Inputs []Input
	// Owners are those there are, with inputs or without. Nil: every input owns what it becomes.
	Owners []Owner
	// InputTypes are the types inputs may have. Nil: any. Outputs of an input of another type are kept
	// unless AllowEmpty.
	InputTypes []schema.GroupKind
	// OutputTypes are the types outputs may have. Nil: any. Another type is an error of its key; outputs of
	// another type that are there are kept unless AllowEmpty.
	OutputTypes []schema.GroupKind

	// Project says what one input becomes. Required.
	Project Projection
	// Tombstone says which outputs stay of a group whose input is gone. Nil: none.
	Tombstone Projection
	// Parallel is how many Projections may run at a time. Defaults to 1.
	Parallel int
	// Validate is asked before an existing object is changed; new is what it would become. An error
	// fails the key. Nil: all is well.
	Validate func(g *Group, old, new *krm.Object) error
	// Order compares two outputs of one group by when they are made; those made first go last. Nil: by
	// creationTimestamp, then identity.
	Order func(a, b *krm.Object) int

	// Merge is how an existing object becomes what is wanted.
	Merge Merge
	// Drift says what ThreeWay does about fields that somebody else changed.
	Drift Drift
	// WholeLists makes every list one value; otherwise ThreeWay merges lists of named items by name.
	WholeLists bool
	// State is where ThreeWay keeps what was last applied.
	State StateStore
	// SecretTypes are treated as Secrets are, besides them: their values are never in a stored state.
	SecretTypes []schema.GroupKind
	// AnnotationsAlone has outputs go though their label contradicts their annotations. Otherwise they stay, with an error.
	AnnotationsAlone bool
	// WithStatus makes status a field like others. Otherwise it is never written.
	WithStatus bool
	// OwnFields are outermost fields that Replace takes away where an output lacks them.
	OwnFields []string
	// OwnNames are prefixes of labels and annotations that Replace takes away where an output lacks them.
	OwnNames []string
	// OwnReferences has Replace take away owner references that an output lacks, and fields of those that it has.
	OwnReferences bool

	// Update is how an object that differs is brought up to date. UpdateOf, if set, says it for each
	// object, and Update means nothing.
	Update   Update
	UpdateOf func(krm.ID) Update
	// After are names of earlier Edges of this controller whose outputs for the same owner must be there
	// before these, and go after these.
	After []string
	// DeleteFirst has operations delete before they create and change. Otherwise they do it last.
	DeleteFirst bool
	// Adopt says what to do with an object that is wanted, exists and is not known to be an output: by its
	// annotations for controller, owner and edge. An input of the same owner, and what owns outputs itself,
	// is never adopted. What was adopted is never deleted: where an output would be, its tags are taken off.
	Adopt Adoption
	// AdoptBy says in the error of Never how adoption is allowed. Defaults to "allow adoption".
	AdoptBy string
	// DeleteAdopted has outputs that were adopted go like others. It is for objects that hold nothing but what is
	// generated.
	DeleteAdopted bool

	// View says whether an input that is not among Inputs is known to be gone.
	View Extent
	// AllowEmpty lets outputs go though there is no input of a type, or not their owner, any more, or their
	// owner selects none of a type.
	AllowEmpty bool
	// MaxDeletions bounds what may be deleted in one run, for all Edges of this controller together;
	// above it nothing of that controller changes.
	MaxDeletions Limit
}

// Input is one object that outputs are made of.
type Input struct {
	// Key is its canonical key: Key(Object), or KeyIn where clusters are involved. Required.
	Key string
	// Owner is the canonical key of the object whose existence justifies the outputs. Defaults to Key.
	Owner string
	// Object is the input. It may be nil for something that is no object, such as settings.
	Object *krm.Object
	// Marks are more names below waybill.dev/ that outputs of this input get.
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
	// Hold leaves all its outputs as they are, without a word: it is being deleted, say.
	Hold bool
	// MayBeEmpty lets outputs go though the owner has not one input of their input's type any more.
	MayBeEmpty bool
	// Unmatched says why the owner has no input of a type: it is told where outputs are kept for that. Nil: "".
	Unmatched func(schema.GroupKind) string
}

// View is what one run sees.
type View struct {
	// Items are all objects there are: inputs, owners, earlier outputs and whatever else, in any order.
	// None of them is changed.
	Items []*krm.Object
	// Ref says which object an item is; nil: its ID as written, in no place in particular. Give one
	// where a missing namespace means a certain one, or where two sides share one list.
	Ref func(*krm.Object) Ref
	// Live says that this is no file tree: every output gets a controller reference to its owner where
	// that has a uid and namespaces permit it, unless its Projection already made one, or it was adopted.
	Live bool
	// MayBeOutput says whether an item may be an output at all, whatever its tags say; nil: every item may. Where strangers write
	// items, tags prove nothing.
	MayBeOutput func(*krm.Object) bool
	// LastKnown is a ledger of what was last applied, for runs that keep it outside of the items. Where
	// there is one, what does not go into an annotation is read from it alone and no state item is
	// written: whoever carries out an Operation then stores its State. It returns nil for not known.
	LastKnown func(controller, owner, edge string, output Ref) []byte
}

func (v *View) ref(o *krm.Object) Ref {
	if v.Ref == nil {
		return Ref{ID: o.ID()}
	}
	return v.Ref(o)
}
