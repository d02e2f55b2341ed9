package correspond

import (
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Plan is what a run decided.
type Plan struct {
	// Items are the View's after the run: those that stay in their order, then new ones by group,
	// kind, namespace and name. One that did not change is the very same Object.
	Items []*krm.Object
	// Operations lead from the View's items to Items; carried out in this order they are safe.
	// Outputs that are as they should be have none. State items have none either: see State.
	Operations []Operation
	// Results are sorted by key, severity and message.
	Results []Result
	// Summaries are one for each controller and owner, sorted.
	Summaries []Summary
	// RequeueAfter is the smallest that a Projection asked for; 0 when none did.
	RequeueAfter time.Duration
}

// Operation is one thing to do to one object.
type Operation struct {
	Action Action
	Reason Reason
	// Controller, Edge, Owner and Key are the group's.
	Controller, Edge, Owner, Key string
	// Ref is the object.
	Ref Ref
	// Old is the object as it is; nil for Create. New is what it becomes; nil for Delete, Old for Keep.
	Old, New *krm.Object
	// LastKnown is what was last applied, and State what is once this is done; nil where none is kept.
	// State is to be stored only after the operation succeeded; one that fits is in New as well.
	LastKnown, State []byte
	// Chain names the operations that depend on each other: once one fails, those behind it in its
	// chain are not tried, nor are chains that have it in After.
	Chain string
	After []string
}

// Action is what an Operation does.
type Action string

// Actions.
const (
	ActionCreate   Action = "create"
	ActionUpdate   Action = "update"
	ActionRecreate Action = "recreate" // delete Old, and make New once it is gone
	ActionAdopt    Action = "adopt"    // update what had no tags
	ActionRelabel  Action = "re-tag"   // update what had the tags of another key
	ActionDelete   Action = "delete"   // with Old's uid as a precondition
	ActionOrphan   Action = "orphan"   // take the tags off and leave it
	ActionKeep     Action = "keep"     // nothing, though it is not what is wanted
)

// Reason says in one word why.
type Reason string

// Reasons.
const (
	ReasonNew        Reason = "New"        // no such object yet
	ReasonChanged    Reason = "Changed"    // the output differs
	ReasonMoved      Reason = "Moved"      // another key made it, and no longer does
	ReasonAdopted    Reason = "Adopted"    // it was there before
	ReasonNotDesired Reason = "NotDesired" // its input no longer asks for it
	ReasonTombstone  Reason = "Tombstone"  // the tombstone keeps it
	ReasonKept       Reason = "Kept"       // the projection keeps it
	ReasonFailed     Reason = "Failed"     // its key fails
	ReasonRetry      Reason = "Retry"      // its key waits for something
	ReasonPartial    Reason = "Partial"    // the view may not show its input
	ReasonRefused    Reason = "Refused"    // the view or a limit forbids to delete it
	ReasonHeld       Reason = "Held"       // its owner is held
	ReasonOnDelete   Reason = "OnDelete"   // it differs and is not to be updated
	ReasonDeleting   Reason = "Deleting"   // it is being deleted already
	ReasonBadTags    Reason = "BadTags"    // its tags contradict each other
	ReasonDuplicate  Reason = "Duplicate"  // an input is there twice
	ReasonStateLost  Reason = "StateLost"  // what was last applied is not known
	ReasonNote       Reason = "Note"       // a projection's own
	ReasonUnlisted   Reason = "Unlisted"   // more results than are shown
	InputMissing     Reason = "InputMissing"
	InputNotSelected Reason = "InputNotSelected"
	InputExcluded    Reason = "InputExcluded" // it is an output of its own owner
	OwnerMissing     Reason = "OwnerMissing"
	OwnerNotSelected Reason = "OwnerNotSelected"
)

// Result is something to say, about a key unless Key is "".
type Result struct {
	Severity sdk.Severity
	Reason   Reason
	// Controller, Edge, Owner and Key are the group's; the last two may be "".
	Controller, Edge, Owner, Key string
	// Object is what it is about: an input or an output; nil when there is none.
	Object *krm.Object
	Field  *field.Path
	// Message is one line that begins with the verb and the key: "map(/Service/prod/web): ...".
	Message string
}

// Summary counts what belongs to one owner. Inputs counts after exclusion; Outputs is how many there are
// once the Plan is carried out.
type Summary struct {
	Controller, Owner                          string
	Inputs, Outputs, Created, Changed, Removed int
	// FailedKeys is how many keys have an error.
	FailedKeys int
	// Observed are its outputs as the View has them, those in Detached included, by identity.
	Observed []*krm.Object
	// Detached are those of Observed that belong to no input.
	Detached []*krm.Object
}
