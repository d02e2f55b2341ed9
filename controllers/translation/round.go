package translation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	backendplan "github.com/waybill-dev/waybill/pkg/backend/plan"
)

// round is one reconcile of all Translations.
type round struct {
	r        *reconciler
	began    time.Time
	snapshot snapshot
	orphans  map[string]bool    // in the inventory alone; true: what the backend has of them stays
	kept     map[string]bool    // what the backend has of them stays
	results  map[string]*result // of Translations for which something was due

	applied      *apply.Result
	notFinalized int // finalizers that could not be removed
}

// apply plans and applies, and reports the result of each Translation.
func (w *round) apply(ctx context.Context, before *inventory.Inventory) error {
	o := w.r.options
	plan, err := backendplan.New(w.desired(), o.Table, before)
	if err != nil {
		return err
	}
	// Apply returns at long waits, so that the next round sees what has changed.
	w.applied, err = apply.Run(ctx, w.r.connection.client, plan, w.r.store, apply.Options{
		Rounds: 2, FirstWait: 100 * time.Millisecond, LongestWait: time.Second, HandBack: true,
		Slice: o.Slice, Skip: w.inBackoff, URLMoved: o.URLMoved,
	})
	var moved *apply.MovedError
	if errors.As(err, &moved) {
		return fmt.Errorf("%w: name another inventory for another backend; if the URL of this one has changed, add --push-url-moved", err)
	}
	if ctx.Err() != nil { // an interrupted operation has not failed
		return err
	}
	w.addProblems(plan.Spec.Problems)
	for _, outcome := range w.applied.Outcomes {
		w.addOutcome(outcome)
	}
	for _, key := range slices.Sorted(maps.Keys(w.results)) {
		w.report(key, w.results[key])
	}
	return err
}

// desired is what all Translations request.
func (w *round) desired() (all []backendplan.Translation) {
	for key, o := range w.snapshot {
		t, err := o.desired()
		t.Unreadable = err != nil
		if t.Keep = w.failsPermanently(key) || t.Unreadable; t.Unreadable {
			w.addError(key, err.Error())
		}
		if t.Keep || !o.deleting {
			all = append(all, t)
		}
		w.kept[key] = t.Keep
	}
	for key, stays := range w.orphans {
		if w.kept[key] = w.failsPermanently(key) || stays; w.kept[key] {
			all = append(all, unchanged(key))
		}
	}
	w.forget()
	return all
}

// forget removes what the reconciler knows of Translations that do not exist any more.
func (w *round) forget() {
	unknown := func(key string) bool {
		_, orphan := w.orphans[key]
		return !orphan && w.snapshot[key] == nil
	}
	r := w.r
	maps.DeleteFunc(r.permanent, func(key string, _ permanentFailure) bool { return unknown(key) })
	maps.DeleteFunc(r.backoff, func(key string, _ backoff) bool { return unknown(key) })
	maps.DeleteFunc(r.reported, func(key, _ string) bool { return unknown(key) })
	uids := map[string]bool{}
	for _, o := range w.snapshot {
		uids[string(o.object.GetUID())] = true
	}
	maps.DeleteFunc(r.finalized, func(uid string, _ bool) bool { return !uids[uid] })
}
