package cluster

import (
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// seats bound how many Repositories are looked at a time: of one Git server, of one namespace, and in all. A look
// mostly waits for a server, so there are many more seats than Workers, and slow servers or one namespace cannot take
// all of them. A Repository that gets no seat is queued again, and holds no worker meanwhile.
type seats struct {
	server, namespace, all int

	mu    sync.Mutex
	taken map[string]int // by server and by namespace
}

// noSeat is when a Repository is tried again that got no seat.
const noSeat = time.Second

func newSeats(workers int) *seats {
	return &seats{server: workers, namespace: 8 * workers, all: 16 * workers, taken: map[string]int{}}
}

// take takes a seat for a Repository until leave is called, or reports that there is none.
func (s *seats) take(obj *porchconfig.Repository) (leave func(), ok bool) {
	namespace, server := "namespace "+obj.Namespace, "server "+serverOf(obj)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[namespace] >= s.namespace || s.taken[server] >= s.server {
		return nil, false
	}
	s.add(1, namespace, server)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.add(-1, namespace, server)
	}, true
}

func (s *seats) add(n int, names ...string) {
	for _, name := range names {
		if s.taken[name] += n; s.taken[name] == 0 {
			delete(s.taken, name)
		}
	}
}

// serverOf is the host and port of a Repository's server, "" where it has none.
func serverOf(obj *porchconfig.Repository) string {
	if obj.Spec.Git == nil {
		return ""
	}
	at, err := url.Parse(obj.Spec.Git.Repo)
	if err != nil {
		return ""
	}
	return strings.ToLower(at.Host)
}
