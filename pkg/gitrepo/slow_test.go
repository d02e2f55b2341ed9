package gitrepo

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestDeadlines has conversations that move at some pace, on a fake clock.
func TestDeadlines(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		every  time.Duration // between two bytes
		ends   time.Duration
		says   string
	}{
		"mute":  {"nothing is heard", time.Hour, time.Minute, "nothing was heard from it for 1m0s"},
		"drips": {"a byte every 20 seconds is heard, and leads nowhere", 20 * time.Second, 30 * time.Minute, "the conversation with it took longer than 30m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSilence(Bounds{}.withDefaults())
				ctx, end := s.begin(t.Context(), 1)
				defer end()
				tick := time.NewTicker(tc.every)
				defer tick.Stop()
				began := time.Now()
				for ctx.Err() == nil {
					select {
					case <-ctx.Done():
					case <-tick.C:
						s.heard(1)
					}
				}
				if took := time.Since(began); took != tc.ends {
					t.Errorf("%s: it ended after %s, want %s", tc.reason, took, tc.ends)
				}
				if err := context.Cause(ctx); !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%s: got %v, want %s", tc.reason, err, tc.says)
				}
			})
		})
	}
}

// TestOneLargePack has a pack that wants to be large while another one is: it waits without a word from its server,
// which is no fault of the server's, and not for longer than a conversation may take.
func TestOneLargePack(t *testing.T) {
	defer func(was chan struct{}) { oneLarge = was }(oneLarge)
	synctest.Test(t, func(t *testing.T) {
		oneLarge = make(chan struct{}, 1) // of the fake clock's
		b := Bounds{}.withDefaults()
		begin := func() (*packReader, func()) {
			s := newSilence(b)
			ctx, end := s.begin(t.Context(), 1)
			return &packReader{ctx: ctx, silence: s, bounds: b}, end
		}
		first, end := begin()
		defer end()
		if err := first.hold(b.Total / 2); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Minute, first.leave)
		second, end := begin()
		defer end()
		began := time.Now()
		if err := second.hold(b.Total / 100); err != nil || time.Since(began) != 0 {
			t.Errorf("a small pack waited for %s: %v", time.Since(began), err)
		}
		if err := second.hold(b.Total / 2); err != nil || time.Since(began) != 20*time.Minute {
			t.Errorf("a large pack waited for %s: %v", time.Since(began), err)
		}
		third, end := begin()
		defer end()
		if err := third.hold(b.Total / 2); err == nil || !strings.Contains(err.Error(), "took longer than 30m0s") {
			t.Errorf("got %v", err)
		}
		third.leave()
		second.leave()
	})
}
