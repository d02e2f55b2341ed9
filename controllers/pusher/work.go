package pusher

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
)

// work is what one pass does.
type work struct {
	*passes
	began   time.Time
	seen    view
	gone    map[string]bool   // known to the inventory alone; whether it is kept as it is
	held    map[string]bool   // kept as it is
	tallies map[string]*tally // what became of each that something was to be done about

	result     *apply.Result
	unreleased int // finalizers that could not be taken away
}

// tally is what became of one Translation.
type tally struct {
	done, waiting int
	failure       string // the first; empty: none
	permanent     bool
	refused       bool   // an operation failed for good
	troubled      bool   // by the backend's own trouble
	unreached     bool   // something was not tried that waits for nothing
	note          string // what is not known of what was done
}

func (w *work) tally(key string) *tally {
	t := w.tallies[key]
	if t == nil {
		t = &tally{}
		w.tallies[key] = t
	}
	return t
}

// apply plans and applies, and tells of each Translation what became of it.
func (w *work) apply(ctx context.Context, was *inventory.Inventory) error {
	plan, err := plan.New(w.desired(), w.options.Table, was)
	if err != nil {
		return err
	}
	// Waits are this controller's: between them it looks at what has changed.
	w.result, err = apply.Run(ctx, w.connection.client, plan, w.store, apply.Options{
		Rounds: 2, FirstWait: 100 * time.Millisecond, LongestWait: time.Second, HandBack: true,
		Slice: w.options.Slice, Skip: w.isLater, URLMoved: w.options.URLMoved,
	})
	var moved *apply.MovedError
	if errors.As(err, &moved) {
		return fmt.Errorf("%w: for another backend name another inventory; if this one has moved, say --push-url-moved", err)
	}
	if ctx.Err() != nil { // what was cut off has not failed
		return err
	}
	w.problems(plan.Spec.Problems)
	for _, o := range w.result.Outcomes {
		w.outcome(o)
	}
	for _, key := range slices.Sorted(maps.Keys(w.tallies)) {
		w.judge(key, w.tallies[key])
	}
	return err
}

// desired is what all Translations ask for.
func (w *work) desired() (all []plan.Translation) {
	now := time.Now()
	hold := func(key string) {
		w.held[key] = true
		all = append(all, asIs(key))
	}
	for key, s := range w.seen {
		if st, is := w.stuck[key]; is && st.version == s.version() && now.Before(st.until) {
			hold(key)
			continue
		}
		delete(w.stuck, key)
		if s.dying {
			continue
		}
		t, err := s.ask()
		if err != nil {
			hold(key)
			w.fault(key, err.Error())
			continue
		}
		all = append(all, t)
	}
	for key, keep := range w.gone {
		if st, is := w.stuck[key]; keep || is && st.version == (*seen)(nil).version() && now.Before(st.until) {
			hold(key)
			continue
		}
		delete(w.stuck, key)
	}
	w.forget()
	return all
}

// forget forgets Translations that are nowhere any more.
func (w *work) forget() {
	for key := range w.stuck {
		if _, gone := w.gone[key]; !gone && w.seen[key] == nil {
			delete(w.stuck, key)
		}
	}
	for key := range w.later {
		if _, gone := w.gone[key]; !gone && w.seen[key] == nil {
			delete(w.later, key)
		}
	}
	for key := range w.said {
		if _, gone := w.gone[key]; !gone && w.seen[key] == nil {
			delete(w.said, key)
		}
	}
	there := map[string]bool{}
	for _, s := range w.seen {
		there[string(s.object.GetUID())] = true
	}
	maps.DeleteFunc(w.released, func(uid string, _ bool) bool { return !there[uid] })
}
