package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/status"
)

// ResultKey is the object, without its version, and the policy, as the labels of a CombinedStatus have them.
type ResultKey struct {
	Policy string
	ObjectRef
}

// ResultKeyOf reads the labels of a CombinedStatus.
func ResultKeyOf(labels map[string]string) ResultKey {
	resource := schema.GroupVersionResource{Group: labels[status.LabelGroup], Resource: labels[status.LabelResource]}
	return ResultKey{labels[status.LabelPolicy], ObjectRef{resource, labels[status.LabelNamespace], labels[status.LabelName]}}
}

// Changes are the results that changed.
type Changes struct {
	// Reindexed says that Bindings or kinds changed: what was undecided may be decided now.
	Reindexed bool
	// Decided are the keys that were undecided before, in the order of the decisions.
	Decided []ResultKey
	// Combined are the CombinedStatuses to write or delete, in order.
	Combined []types.NamespacedName
	// Returned are the objects whose status may have to be written, in order.
	Returned []ObjectRef
	// Errors are about CombinedStatuses that cannot be made, in order.
	Errors []error
	// Rows is the number of evaluated rows.
	Rows int
}

// Refresh applies all changes, evaluates them, and returns which results changed. When ctx ends it stops with an error; the
// next call continues.
func (e *Engine) Refresh(ctx context.Context) (Changes, error) {
	e.Reindex()
	_, err := e.Evaluate(ctx, nil)
	return e.Changes(), err
}

// Changes returns what Reindex and Evaluate changed since the last call.
func (e *Engine) Changes() Changes {
	out := e.changes
	out.Combined = slices.SortedFunc(maps.Keys(e.combined), compareNames)
	clear(e.combined)
	out.Returned = slices.SortedFunc(maps.Values(e.returns), ObjectRef.Compare)
	clear(e.returns)
	slices.SortFunc(out.Errors, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	e.changes = Changes{}
	return out
}

// Undecided reports whether the engine has not decided yet which CombinedStatus should exist.
func (e *Engine) Undecided(key ResultKey) bool {
	return e.index.undecided[key] || e.unreadable[key.Policy]
}

// evaluate evaluates the stale rows of a subject, and reports whether it finished before more stopped it.
func (e *Engine) evaluate(ctx context.Context, s *subject, more func(Step) bool) (done bool, err error) {
	programs, _ := e.collectors.Pick(s.collectors)
	if done, err = s.evaluate(ctx, programs, e.reports.Of(s.id), e.options.Evaluation, more); err != nil || !done {
		return false, err
	}
	results, warnings := s.combine(programs)
	results, leftOut := status.Bound(results)
	if !s.decided {
		s.decided = true
		delete(e.index.undecided, s.resultKey())
		e.changes.Decided = append(e.changes.Decided, s.resultKey())
	}
	object, err := status.New(s.about, results)
	if err != nil {
		e.changes.Errors = append(e.changes.Errors, err)
		e.clearDesired(s)
		return true, nil
	}
	e.setDesired(s, Desired{Object: object, Warnings: warnings, LeftOut: leftOut})
	return true, nil
}
