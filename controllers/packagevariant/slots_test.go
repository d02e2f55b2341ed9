package packagevariant

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestSlots has passes that take an hour, and one that comes last.
func TestSlots(t *testing.T) {
	for name, tc := range map[string]struct {
		reason        string
		workers, slow int
		after         time.Duration // that the last one gets a slot
	}{
		"some":     {"there are slots enough", 4, 3, 0},
		"four":     {"slow passes give up their slots", 4, 4, 10 * time.Second},
		"in a row": {"those that come after them do, too", 4, 8, 20 * time.Second},
		"many":     {"there is a bound, and slots come back", 1, 16, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSlots(tc.workers, 10*time.Second)
				began := time.Now()
				for range tc.slow {
					go func() {
						release := s.acquire(t.Context())
						time.Sleep(time.Hour - time.Since(began))
						release()
					}()
					synctest.Wait()
				}
				release := s.acquire(t.Context())
				if took := time.Since(began); took != tc.after {
					t.Errorf("%s: it took %s, want %s", tc.reason, took, tc.after)
				}
				release()
				time.Sleep(time.Hour)
				synctest.Wait()
				if len(s.fast)+len(s.slow) != 0 {
					t.Error("slots are lost")
				}
			})
		})
	}
}
