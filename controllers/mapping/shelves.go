package mapping

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/follow"
)

// kind is a type of objects in one version.
type kind struct {
	schema.GroupVersionResource
	namespaced bool
}

// shelves are those that some MapController needs. Others are given up.
type shelves struct {
	server  follow.Server
	options Options
	meters  *meters
	ctx     context.Context // of the followers
	ended   *sync.WaitGroup

	mu  sync.Mutex
	all map[kind]*shelf
}

// need makes these the shelves of a worker.
func (s *shelves) need(w *worker, kinds map[kind]bool) map[kind]*shelf {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := make(map[kind]*shelf, len(kinds))
	for k := range kinds {
		mine[k] = s.get(k)
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
func (s *shelves) get(k kind) *shelf {
	if sh := s.all[k]; sh != nil {
		return sh
	}
	sh := newShelf(k)
	ctx, stop := context.WithCancel(s.ctx)
	sh.stop = stop
	s.all[k] = sh
	namespaces := []string{""}
	if k.namespaced && len(s.options.Namespaces) > 0 {
		namespaces = s.options.Namespaces
	}
	var corners []*corner
	for _, namespace := range namespaces {
		corners = append(corners, sh.addCorner(namespace))
	}
	for _, c := range corners {
		f := follow.New(s.server, k.GroupVersionResource, c, follow.Options{
			Namespace: c.namespace, FirstRetry: s.options.FirstRetry, LastRetry: s.options.look(), Log: s.options.Log})
		s.ended.Go(func() { f.Run(ctx) })
	}
	return sh
}
