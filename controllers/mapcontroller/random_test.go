package mapcontroller_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

func differ(want, got map[string]any) string { return cmp.Diff(want, got) }

// meddle does what others do to outputs.
func (w *world) meddle(r *rand.Rand) {
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

// TestRandomHistories has everything change at random, now and then with a restart, and compares what there
// is with the naive model.
func TestRandomHistories(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		w := newWorld(t)
		r := rand.New(rand.NewPCG(seed, 0))
		var now plan
		for i := range now.policies {
			now.policies[i].there = true
		}
		w.put(copies)
		stop := w.start()
		for step := range 25 {
			now = now.changed(r)
			w.become(now)
			if r.IntN(3) == 0 {
				w.meddle(r)
			}
			if r.IntN(6) == 0 {
				stop()
				now = now.changed(r)
				w.become(now)
				stop = w.start()
			}
			if r.IntN(3) == 0 {
				w.becomes(fmt.Sprintf("seed %d, step %d", seed, step), now)
			}
			time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
		}
		w.becomes(fmt.Sprintf("seed %d, at the end", seed), now)
		w.eventually("no trouble is left", func() string {
			if got := w.ready("copies", "Ready"); got != "True Mapping: all parents are mapped" {
				return got
			}
			return ""
		})
		stop()
	}
}
