package applyset

import (
	"context"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Projection decides about one group. It reads only the group and its own settings, changes none of them, and gives the
// same Outcome for the same group. A panic fails the key. With Edge.Parallel it must be safe for concurrent use.
type Projection func(context.Context, *Group) Outcome

// Group is one key of one owner: an input, if it exists, and the outputs that were made of it.
type Group struct {
	Controller, Edge string
	// Owner and Key are canonical keys; MapKey is the label made of Key.
	Owner, Key, MapKey string
	// OwnerObject is nil where Owners has none.
	OwnerObject *krm.Object
	// Input is the input's object; nil for a group that is detached.
	Input *krm.Object
	// Detached says why there is no input; "" when there is one.
	Detached Reason
	// Outputs are the existing objects that carry the tags of this group, by identity.
	Outputs []*krm.Object
}

// Outcome is what a Projection decides: Outputs, Keep, KeepAll, Orphan, Retry, Skip or Fail. The zero Outcome is a failure. The
// fields add to it.
type Outcome struct {
	apply   func(*planner, *group) // nil: failure
	orphans bool                   // outputs are not deleted but lose their tags

	// Notes are additional messages about the key.
	Notes []Note
	// DependsOn are keys of inputs of the same edge, and of the same owner where there are Owners, whose outputs must exist
	// before these. While one of them fails, this key waits. Keys in a cycle fail.
	DependsOn []string
	// Redact says that something secret is among the sources of the outputs, besides what Run finds itself: an input, an
	// owner or an output that is a Secret. No message about the key then names an output that does not exist, or shows the
	// content of one. The texts of Fail, Retry and Notes are not redacted.
	Redact bool
	// RequeueAfter, if positive, requests another run; the Plan has the smallest of all.
	RequeueAfter time.Duration
}

// Note is a message about a key. It must hold nothing secret.
type Note struct {
	Severity sdk.Severity
	Field    *field.Path // of the input; may be nil
	Message  string
}

// Outputs is the complete list of desired objects of the group, in the order of their creation; if it is empty, Run deletes
// all existing outputs. Run takes the objects over. It overwrites their names below waybill.dev/. A file
// (krm.Object.SetPath) counts for a new object; Run finds the index. For a detached group only the identities are read.
func Outputs(objects ...*krm.Object) Outcome {
	return Outcome{apply: func(r *planner, g *group) {
		if g.hasInput {
			r.applyOutputs(g, objects)
		} else {
			r.applyKept(g, idsOf(objects))
		}
	}}
}

// Keep keeps the given outputs of the group as they are and removes the others.
func Keep(ids ...krm.ID) Outcome {
	return Outcome{apply: func(r *planner, g *group) { r.applyKept(g, ids) }}
}

// Orphan removes the tags from all outputs of the group, which then have no owner.
func Orphan() Outcome { return Outcome{apply: Outputs().apply, orphans: true} }

// KeepAll keeps the group as it is and reports nothing: there is nothing new to decide.
func KeepAll() Outcome {
	return Outcome{apply: func(_ *planner, g *group) { g.freeze(ReasonKept) }}
}

// Retry keeps the group as it is, with a warning: something is missing that may appear later.
func Retry(format string, args ...any) Outcome {
	return Outcome{apply: func(r *planner, g *group) {
		g.freeze(ReasonRetry)
		g.failed = true
		r.report(g, sdk.Warning, ReasonRetry, g.Input, nil, format, args...)
	}}
}

// Fail keeps the group as it is, with an error. A *field.Error names the field of the input.
func Fail(err error) Outcome {
	return Outcome{apply: func(r *planner, g *group) { r.fail(g, g.Input, err) }}
}

// Skip is Fail with a warning, for a fault that need not stop a run over files: an error there discards all that it changed.
func Skip(err error) Outcome {
	return Outcome{apply: func(r *planner, g *group) { r.failAs(sdk.Warning, g, g.Input, err) }}
}
