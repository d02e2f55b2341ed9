package repository

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestPorchDetector asks the API server now and then, and keeps no answer of one that does not know.
func TestPorchDetector(t *testing.T) {
	asked, present, fails := 0, true, errors.New("down")
	d := &porchDetector{presence: PorchDetected, interval: time.Hour, hasGroup: func(_ context.Context, group string) (bool, error) {
		asked++
		if group != "porch.kpt.dev" {
			t.Errorf("asked for %q", group)
		}
		return present, fails
	}}
	for _, tc := range []struct {
		reason        string
		fails         error
		present       bool
		wait          time.Duration
		want, wantErr bool
		wantAsked     int
	}{
		{"an API server that does not answer says nothing", fails, false, 0, false, true, 1},
		{"so it is asked again", nil, true, 0, true, false, 2},
		{"an answer serves for a while", nil, false, time.Minute, true, false, 2},
		{"and not for ever", nil, false, 2 * time.Hour, false, false, 3},
	} {
		fails, present = tc.fails, tc.present
		if !d.asked.IsZero() {
			d.asked = d.asked.Add(-tc.wait)
		}
		got, err := d.isPresent(t.Context())
		if got != tc.want || (err != nil) != tc.wantErr || asked != tc.wantAsked {
			t.Errorf("%s: got %v, %v, asked %d times", tc.reason, got, err, asked)
		}
	}
	for presence, want := range map[Presence]bool{PorchPresent: true, PorchAbsent: false} {
		if got, err := (&porchDetector{presence: presence}).isPresent(t.Context()); got != want || err != nil {
			t.Errorf("%s: got %v, %v", presence, got, err)
		}
	}
}

// TestNotificationsDiffer: two in one second have two times, or Porch would not see the second one.
func TestNotificationsDiffer(t *testing.T) {
	n, at := &porchNotifier{}, key{Namespace: "fleet", Name: "deployments"}
	last := n.next(at)
	if time.Since(last) > time.Minute || last.Nanosecond() != 0 {
		t.Errorf("the time is now, in seconds; got %s", last)
	}
	for range 3 {
		next := n.next(at)
		if !next.After(last) || next.Sub(last) > 2*time.Second {
			t.Errorf("%s does not follow %s", next, last)
		}
		last = next
	}
	if other := n.next(key{Namespace: "fleet", Name: "blueprints"}); !other.Before(last) {
		t.Errorf("each Repository has its own; got %s after %s", other, last)
	}
}
