package repository

import (
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// TestPollSlots has Repositories that are polled without end, and one that wants to be polled.
func TestPollSlots(t *testing.T) {
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
			s := newPollSlots(4)
			var releases []func()
			for i := range 200 {
				if release, ok := s.acquire(tc.stuck(i)); ok {
					releases = append(releases, release)
				}
			}
			if len(releases) != tc.taken {
				t.Errorf("%s: got %d, want %d", tc.reason, len(releases), tc.taken)
			}
			release, ok := s.acquire(at("mine", "https://fast.example/a"))
			if !ok {
				t.Fatal("there is no slot for another server in another namespace")
			}
			for _, l := range append(releases, release) {
				l()
			}
			if len(s.taken) != 0 {
				t.Errorf("slots are lost: %v", s.taken)
			}
		})
	}
}
