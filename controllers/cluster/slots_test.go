package cluster

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
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
						leave := s.take(t.Context())
						time.Sleep(time.Hour - time.Since(began))
						leave()
					}()
					synctest.Wait()
				}
				leave := s.take(t.Context())
				if took := time.Since(began); took != tc.after {
					t.Errorf("%s: it took %s, want %s", tc.reason, took, tc.after)
				}
				leave()
				time.Sleep(time.Hour)
				synctest.Wait()
				if len(s.fast)+len(s.slow) != 0 {
					t.Error("slots are lost")
				}
			})
		})
	}
}

// TestSeats has Repositories that are looked at without end, and one that wants to be looked at.
func TestSeats(t *testing.T) {
	at := func(namespace, url string) *porchconfig.Repository {
		obj := &porchconfig.Repository{Spec: porchconfig.RepositorySpec{Git: &porchconfig.GitRepository{Repo: url}}}
		obj.Namespace = namespace
		return obj
	}
	for name, tc := range map[string]struct {
		reason string
		stuck  func(i int) *porchconfig.Repository
		taken  int
	}{
		"one server": {"a server gets as many as there are workers", func(i int) *porchconfig.Repository {
			return at(fmt.Sprint("n", i), "https://U:p@Slow.example/"+fmt.Sprint(i))
		}, 4},
		"one namespace": {"a namespace gets half of all", func(i int) *porchconfig.Repository { return at("n", fmt.Sprintf("https://slow%d.example/a", i)) }, 32},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSeats(4)
			var leaves []func()
			for i := range 200 {
				if leave, ok := s.take(tc.stuck(i)); ok {
					leaves = append(leaves, leave)
				}
			}
			if len(leaves) != tc.taken {
				t.Errorf("%s: got %d, want %d", tc.reason, len(leaves), tc.taken)
			}
			leave, ok := s.take(at("mine", "https://fast.example/a"))
			if !ok {
				t.Fatal("there is no seat for another server in another namespace")
			}
			for _, l := range append(leaves, leave) {
				l()
			}
			if len(s.taken) != 0 {
				t.Errorf("seats are lost: %v", s.taken)
			}
		})
	}
}
