package correspond

import (
	"context"
	"fmt"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Projection says what becomes of one group. It reads nothing but the group and what it was made
// with, changes none of it, and gives the same Outcome for the same group. One that panics fails its
// key. With Edge.Parallel it must be safe for concurrent use.
type Projection func(context.Context, *Group) Outcome

// Group is one key of one owner: an input, unless it is gone, and the outputs that were made of it.
type Group struct {
	Controller, Edge string
	// Owner and Key are canonical keys; MapKey is the label made of Key.
	Owner, Key, MapKey string
	// OwnerObject is nil where Owners has none.
	OwnerObject *krm.Object
	// Input is the input's object; nil for a group that is detached.
	Input *krm.Object
	// Detached says why there is no input; "" while there is one.
	Detached Reason
	// Outputs are the objects that carry the tags of this group, as they are, by identity.
	Outputs []*krm.Object
}

// Outcome is what a Projection decides: Outputs, Keep, KeepAll, LetGo, Retry or Fail. The zero Outcome is a
// failure. The fields add to it.
type Outcome struct {
	verdict verdict
	objects []*krm.Object
	ids     []krm.ID
	orphans bool
	reason  string
	err     error

	// Notes are said about the key besides.
	Notes []Note
	// DependsOn are keys of inputs of the same edge, and of the same owner where there are Owners, whose
	// outputs must be there before these. While one of them fails, this key waits. Keys in a circle fail.
	DependsOn []string
	// Redact says that something secret is among what the outputs are made of, besides what Run sees itself: an
	// input, an owner or an output that is a Secret. No message about the key then names an output that is not
	// there, or tells what one holds. What Fail, Retry and Notes say is told as it is.
	Redact bool
	// RequeueAfter, if positive, asks for another run; the smallest of all is in the Plan.
	RequeueAfter time.Duration
}

// Note is something to say about a key. It must hold nothing that is secret.
type Note struct {
	Severity sdk.Severity
	Field    *field.Path // of the input; may be nil
	Message  string
}

type verdict int

const (
	undecided verdict = iota
	wanted
	keepSome
	keepAll
	retried
	failed
)

// Outputs is the complete list of what there should be for the group, in the order it is to be made;
// empty, all that there is goes. The objects are handed over. Their names below waybill.dev/ do not
// count: Run sets them. A file (krm.Object.SetPath) counts for an object that is new; its index is
// found by Run. For a detached group only the identities are read.
func Outputs(objects ...*krm.Object) Outcome { return Outcome{verdict: wanted, objects: objects} }

// Keep leaves those outputs of the group as they are and takes the others away.
func Keep(ids ...krm.ID) Outcome { return Outcome{verdict: keepSome, ids: ids} }

// Orphan takes the tags off all outputs of the group, which are nobody's then.
func Orphan() Outcome { return Outcome{verdict: wanted, orphans: true} }

// KeepAll leaves the group as it is, and says nothing: there is nothing new to decide upon.
func KeepAll() Outcome { return Outcome{verdict: keepAll} }

// Retry leaves the group as it is, with a warning: something is missing that may come.
func Retry(format string, args ...any) Outcome {
	return Outcome{verdict: retried, reason: fmt.Sprintf(format, args...)}
}

// Fail leaves the group as it is, with an error. A *field.Error gives the place in the input.
func Fail(err error) Outcome { return Outcome{verdict: failed, err: err} }
