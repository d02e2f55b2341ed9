package mapcontroller_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// changeOutputs changes outputs as other clients do.
func (w *environment) changeOutputs(r *rand.Rand) {
	w.Helper()
	for _, o := range w.list(group+"/v1", "Probe", w.namespace) {
		var err error
		switch r.IntN(6) {
		case 0:
			err = w.Delete(context.Background(), o.DeepCopy())
		case 1:
			next := o.DeepCopy()
			next.Object["spec"] = map[string]any{"value": "theirs"}
			err = w.Update(context.Background(), next)
		}
		if client.IgnoreNotFound(err) != nil && !isConflict(err) {
			w.Fatal(err)
		}
	}
}

// TestRandomHistories changes everything at random, sometimes with a restart, and compares the result with the naive model.
func TestRandomHistories(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		w := newEnvironment(t)
		r := rand.New(rand.NewPCG(seed, 0))
		var now plan
		for i := range now.policies {
			now.policies[i].there = true
		}
		w.put(copies)
		stop := w.start()
		for step := range 25 {
			now = now.mutated(r)
			w.apply(now)
			if r.IntN(3) == 0 {
				w.changeOutputs(r)
			}
			if r.IntN(6) == 0 {
				stop()
				now = now.mutated(r)
				w.apply(now)
				stop = w.start()
			}
			if r.IntN(3) == 0 {
				w.awaitPlan(fmt.Sprintf("seed %d, step %d", seed, step), now)
			}
			time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
		}
		w.awaitPlan(fmt.Sprintf("seed %d, at the end", seed), now)
		w.eventually("no trouble is left", func() string {
			if got := w.ready("copies", "Ready"); got != "True Mapping: all parents are mapped" {
				return got
			}
			return ""
		})
		stop()
	}
}
