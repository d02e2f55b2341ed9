// Package objectcache holds objects of kinds that PackageVariants and PackageVariantSets name, for these as readers.
//
// Shape: a Cache lists and watches a kind in a namespace from the first read on. A ReadSet is what one reconcile read
// from it; afterwards it returns the readers that have to read again. docs/decisions/0019 says why it is neither an
// informer nor live.Cache.
// Cost: a watch for each kind and namespace that is read, and the parts of its objects that readers use.
// Errors: an error that may disappear without any change (apierror.IsUnavailable) says nothing about the objects; a refusal
// counts only from an API server that is ready.
// Source: Kubernetes documentation, API concepts, "Efficient detection of changes".
package objectcache

import (
	"context"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/injection"
)

type key = types.NamespacedName

// Cache holds the objects that readers (PackageVariants, for example) read in their own namespaces. It lists and then watches
// each kind in each namespace where it is read, until it has no readers. It is a source of requests to a controller: each
// change enqueues the readers of the changed kind.
type Cache struct {
	server                *live.Server
	project               Projection
	request               func(reader types.NamespacedName) reconcile.Request
	firstRetry, lastRetry time.Duration // bound the pauses between two tries to list a kind

	mu      sync.Mutex
	ctx     context.Context                                         // of the watches
	queue   workqueue.TypedRateLimitingInterface[reconcile.Request] // nil until the controller runs
	kinds   map[scope]*kindCache
	readers map[key][]injection.Kind
}

// scope is a kind in a namespace. Cluster-scoped objects are in each.
type scope struct {
	kind      injection.Kind
	namespace string
}

// New makes an empty Cache of what project keeps of objects. request returns the request that reconciles a reader.
func New(s *live.Server, project Projection, firstRetry, lastRetry time.Duration, request func(types.NamespacedName) reconcile.Request,
) *Cache {
	return &Cache{
		server: s, project: project, request: request, firstRetry: firstRetry, lastRetry: lastRetry, ctx: context.Background(),
		kinds: map[scope]*kindCache{}, readers: map[key][]injection.Kind{},
	}
}

// Start implements source.Source. Watches run until ctx ends.
func (c *Cache) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx, c.queue = ctx, queue
	return nil
}

// kind returns the cache of a scope, which is watched from now on.
func (c *Cache) kind(at scope) *kindCache {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.kinds[at]
	if found == nil {
		ctx, stop := context.WithCancel(c.ctx)
		found = &kindCache{scope: at, cache: c, stop: stop, started: time.Now()}
		c.kinds[at] = found
		go found.run(ctx)
	}
	return found
}

// minWatch is the shortest time for which a kind is watched: a reconcile that has not ended may have read it.
const minWatch = time.Minute

// setReaders records which kinds readers of a namespace read, and stops the watches there without readers.
func (c *Cache) setReaders(namespace string, reads map[key][]injection.Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for reader, kinds := range reads {
		c.readers[reader] = kinds
		if len(kinds) == 0 {
			delete(c.readers, reader)
		}
	}
	for at, kind := range c.kinds {
		if at.namespace == namespace && time.Since(kind.started) > minWatch && len(c.readersOf(at)) == 0 {
			kind.stop()
			delete(c.kinds, at)
		}
	}
}

func (c *Cache) readersOf(at scope) (readers []key) {
	for reader, kinds := range c.readers {
		if reader.Namespace == at.namespace && slices.Contains(kinds, at.kind) {
			readers = append(readers, reader)
		}
	}
	return readers
}

// Forget removes a reader.
func (c *Cache) Forget(reader types.NamespacedName) {
	c.setReaders(reader.Namespace, map[key][]injection.Kind{reader: nil})
}

// changed enqueues the readers of a scope.
func (c *Cache) changed(at scope) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, reader := range c.readersOf(at) {
		if c.queue != nil {
			c.queue.Add(c.request(reader))
		}
	}
}
