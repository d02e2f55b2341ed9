package applyset

import (
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Plan is the result of a run.
type Plan struct {
	// Items are the View's items after the run: existing ones in their order, then new ones by group, kind, namespace and
	// name. An unchanged item is the identical Object.
	Items []*krm.Object
	// Operations lead from the View's items to Items, in a safe order. Outputs that are correct have none. State items have
	// none either: see State.
	Operations []Operation
	// Results are sorted by key, severity and message.
	Results []Result
	// Summaries are one for each controller and owner, sorted.
	Summaries []Summary
	// RequeueAfter is the smallest that a Projection requested; 0 when none did.
	RequeueAfter time.Duration
}

// Operation is one change of one object.
type Operation struct {
	Action Action
	Reason Reason
	// Controller, Edge, Owner and Key are the group's.
	Controller, Edge, Owner, Key string
	// Ref is the object.
	Ref Ref
	// Old is the existing object; nil for Create. New is the object after the operation; nil for Delete, Old for Keep.
	Old, New *krm.Object
	// LastKnown is what was last applied, and State what is applied after this operation; nil where none is kept. State is
	// to be stored only after the operation succeeded; a State that is kept in an annotation is in New as well.
	LastKnown, State []byte
	// Chain names the operations that depend on each other: once one fails, the later ones of its chain are skipped, and so
	// are chains that list it in After.
	Chain string
	After []string
}

// Action is what an Operation does.
type Action string

// Actions.
const (
	ActionCreate   Action = "create"
	ActionUpdate   Action = "update"
	ActionRecreate Action = "recreate" // delete Old, and create New once it is deleted
	ActionAdopt    Action = "adopt"    // update an object that had no tags
	ActionRelabel  Action = "re-tag"   // update an object that had the tags of another key
	ActionDelete   Action = "delete"   // with Old's uid as a precondition
	ActionOrphan   Action = "orphan"   // remove the tags and leave the object
	ActionKeep     Action = "keep"     // nothing, although the object is not as desired
)

// Reason says in one word why.
type Reason string

// Reasons.
const (
	ReasonNew        Reason = "New"        // no such object yet
	ReasonChanged    Reason = "Changed"    // the output differs
	ReasonMoved      Reason = "Moved"      // another key made it, and no longer requests it
	ReasonAdopted    Reason = "Adopted"    // it existed before
	ReasonNotDesired Reason = "NotDesired" // its input no longer requests it
	ReasonTombstone  Reason = "Tombstone"  // the tombstone keeps it
	ReasonKept       Reason = "Kept"       // the projection keeps it
	ReasonFailed     Reason = "Failed"     // its key fails
	ReasonRetry      Reason = "Retry"      // its key waits for another object
	ReasonPartial    Reason = "Partial"    // the view may not contain its input
	ReasonRefused    Reason = "Refused"    // the view or a limit forbids its deletion
	ReasonHeld       Reason = "Held"       // its owner is held
	ReasonOnDelete   Reason = "OnDelete"   // it differs and is not to be updated
	ReasonDeleting   Reason = "Deleting"   // it is being deleted already
	ReasonBadTags    Reason = "BadTags"    // its tags contradict each other
	ReasonDuplicate  Reason = "Duplicate"  // an input occurs twice
	ReasonStateLost  Reason = "StateLost"  // what was last applied is not known
	ReasonNote       Reason = "Note"       // a projection's own
	ReasonUnlisted   Reason = "Unlisted"   // more results than are reported
	InputMissing     Reason = "InputMissing"
	InputNotSelected Reason = "InputNotSelected"
	InputExcluded    Reason = "InputExcluded" // it is an output of its own owner
	OwnerMissing     Reason = "OwnerMissing"
	OwnerNotSelected Reason = "OwnerNotSelected"
)

// Result is a message, about a key unless Key is "".
type Result struct {
	Severity sdk.Severity
	Reason   Reason
	// Controller, Edge, Owner and Key are the group's; the last two may be "".
	Controller, Edge, Owner, Key string
	// Object is the input or output that it is about; nil when there is none.
	Object *krm.Object
	Field  *field.Path
	// Message is one line that begins with the verb and the key: "map(/Service/prod/web): ...".
	Message string
}

// Summary counts the objects of one owner. Inputs counts after exclusion; Outputs counts after the Plan is executed.
type Summary struct {
	Controller, Owner                          string
	Inputs, Outputs, Created, Changed, Removed int
	// FailedKeys is how many keys have an error.
	FailedKeys int
	// Observed are its outputs as they are in the View, Detached included, by identity.
	Observed []*krm.Object
	// Detached are those of Observed that belong to no input.
	Detached []*krm.Object
}
