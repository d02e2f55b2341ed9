package hooks

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// busy are hooks that always answer with status 429.
type busy struct {
	mapcontroller.Hooks
	after time.Duration
	asked *int
}

func (b busy) Webhook(context.Context, *waybill.Webhook, *mapcontroller.Request) (*mapcontroller.Response, error) {
	*b.asked++
	return &mapcontroller.Response{RetryAfter: &b.after}, nil
}

func TestBackoff(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		after  time.Duration
		idle   time.Duration // between the end of a delay and the next call
		want   []time.Duration
	}{
		"Said":   {"as long as the webhook says", 7 * time.Second, 0, []time.Duration{7 * time.Second, 7 * time.Second, 7 * time.Second}},
		"Unsaid": {"longer and longer, within bounds", 0, 0, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second}},
		"Rested": {"after a long time without a call the delays start again", 0, time.Minute, []time.Duration{time.Second, time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked, held := 0, &Slot{Slots: make(Slots, 1)}
				p := &Backoff{Hooks: busy{after: tc.after, asked: &asked}, Slot: held, First: time.Second, Last: 5 * time.Second}
				held.Acquire(t.Context())
				ask := func() time.Duration {
					r, err := p.Webhook(t.Context(), nil, &mapcontroller.Request{Hook: "map", ParentKey: "p"})
					if err != nil {
						t.Fatal(err)
					}
					return *r.RetryAfter
				}
				var got []time.Duration
				for range tc.want {
					pause := ask()
					got = append(got, pause)
					if n, until := p.Waiting(); n != 1 || !until.Equal(time.Now().Add(pause)) || ask() != pause {
						t.Errorf("%d wait until %v, a pause is %v", n, until, pause)
					}
					time.Sleep(pause)
					if n, _ := p.Waiting(); n != 0 {
						t.Errorf("%d wait after the end of the delay", n)
					}
					time.Sleep(tc.idle)
				}
				if diff := cmp.Diff(tc.want, got); diff != "" || asked != len(tc.want) {
					t.Errorf("%s, %d calls (-want +got):\n%s", tc.reason, asked, diff)
				}
			})
		})
	}
}

func TestSlotIsReleasedWhileHooksRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := make(Slots, 1)
		one, other := &Slot{Slots: slots}, &Slot{Slots: slots}
		one.Acquire(t.Context())
		answer, done := make(chan struct{}), atomic.Int32{}
		for range 2 {
			go one.without(func() { <-answer; done.Add(1) })
		}
		synctest.Wait()
		if !other.Acquire(t.Context()) || len(slots) != 1 {
			t.Error("the slot is not free")
		}
		answer <- struct{}{}
		answer <- struct{}{}
		synctest.Wait()
		other.Release()
		synctest.Wait()
		if len(slots) != 1 || done.Load() != 2 {
			t.Errorf("%d slots are taken after %d answers, want one's own after 2", len(slots), done.Load())
		}
		one.Release()
	})
}
