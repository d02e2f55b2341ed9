package syncing

import (
	"context"
	"sync"

	"github.com/waybill-dev/waybill/controllers/follow"
)

// shelves are those that some PublishedResource needs, of all servers. Others are given up.
type shelves struct {
	options Options
	meters  *meters
	ctx     context.Context // of the followers
	ended   *sync.WaitGroup

	mu  sync.Mutex
	all map[shelfKey]*shelf
}

// shelfKey is a type of one server.
type shelfKey struct {
	server string
	kind
}

// need makes these the shelves of a worker.
func (s *shelves) need(w *worker, kinds map[shelfKey]*server) map[shelfKey]*shelf {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := make(map[shelfKey]*shelf, len(kinds))
	for k, on := range kinds {
		mine[k] = s.get(k, on)
		mine[k].mu.Lock()
		mine[k].users[w] = true
		mine[k].mu.Unlock()
	}
	for k, sh := range s.all {
		if mine[k] != nil {
			continue
		}
		sh.mu.Lock()
		delete(sh.users, w)
		idle := len(sh.users) == 0
		sh.mu.Unlock()
		if idle {
			sh.stop()
			delete(s.all, k)
		}
	}
	s.meters.types.Set(float64(len(s.all)))
	return mine
}

// get is the shelf of a type, which is filled from now on if it is new.
func (s *shelves) get(k shelfKey, on *server) *shelf {
	if sh := s.all[k]; sh != nil {
		return sh
	}
	sh := newShelf(on, k.kind)
	ctx, stop := context.WithCancel(s.ctx)
	sh.stop = stop
	s.all[k] = sh
	f := follow.New(on.Server, k.GroupVersionResource, sh, follow.Options{
		FirstRetry: s.options.FirstRetry, LastRetry: s.options.look(), Log: s.options.Log.WithValues("workspace", k.server)})
	s.ended.Go(func() { f.Run(ctx) })
	return sh
}
