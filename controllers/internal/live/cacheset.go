package live

import (
	"context"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// CacheSet has the caches that have a user. A cache stops when its last user releases it.
type CacheSet struct {
	Indexers Indexers
	// Namespaces limit namespaced resources; none means all.
	Namespaces []string
	Watch      WatchOptions
	Count      prometheus.Gauge // of the caches

	ctx   context.Context // of the watchers
	ended *sync.WaitGroup

	mu  sync.Mutex
	all map[CacheKey]*Cache
}

// CacheKey is a resource of a server, by name.
type CacheKey struct {
	Server string
	Resource
}

// Start runs watchers until ctx ends; all have ended when the WaitGroup is done.
func (s *CacheSet) Start(ctx context.Context, ended *sync.WaitGroup) {
	s.ctx, s.ended, s.all = ctx, ended, map[CacheKey]*Cache{}
}

// Use makes these the caches of a user, and releases all others that it had.
func (s *CacheSet) Use(user CacheUser, resources map[CacheKey]*Server) map[CacheKey]*Cache {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := make(map[CacheKey]*Cache, len(resources))
	for key, server := range resources {
		mine[key] = s.get(key, server)
		mine[key].mu.Lock()
		mine[key].users[user] = true
		mine[key].mu.Unlock()
	}
	for key, c := range s.all {
		if mine[key] == nil && c.release(user) {
			c.stop()
			delete(s.all, key)
		}
	}
	s.Count.Set(float64(len(s.all)))
	return mine
}

// release removes a user, and reports whether it was the last one.
func (c *Cache) release(user CacheUser) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.users, user)
	return len(c.users) == 0
}

// get returns the cache of a resource; a new one is filled from now on.
func (s *CacheSet) get(key CacheKey, server *Server) *Cache {
	if c := s.all[key]; c != nil {
		return c
	}
	c := newCache(server, key.Resource, s.Indexers)
	ctx, stop := context.WithCancel(s.ctx)
	c.stop = stop
	s.all[key] = c
	namespaces := []string{""}
	if key.Namespaced && len(s.Namespaces) > 0 {
		namespaces = s.Namespaces
	}
	for _, namespace := range namespaces {
		c.addPartition(namespace)
	}
	for _, p := range c.partitions { // all exist before the first event
		o := s.Watch
		o.Namespace = p.namespace
		if server.Name != "" {
			o.Log = o.Log.WithValues("workspace", server.Name)
		}
		w := NewWatcher(server, key.GroupVersionResource, p, o)
		s.ended.Go(func() { w.Run(ctx) })
	}
	return c
}
