package idle

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
		"mute":  {"nothing is heard", time.Hour, time.Minute, "it sent and received nothing for 1m0s"},
		"drips": {"a byte every 20 seconds is heard, and leads nowhere", 20 * time.Second, 30 * time.Minute, "the conversation with it took longer than 30m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(time.Minute, 30*time.Minute)
				ctx, end := s.Begin(t.Context(), 1)
				defer end()
				tick := time.NewTicker(tc.every)
				defer tick.Stop()
				began := time.Now()
				for ctx.Err() == nil {
					select {
					case <-ctx.Done():
					case <-tick.C:
						s.Moved(1)
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
