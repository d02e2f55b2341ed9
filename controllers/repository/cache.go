package repository

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Cache keeps the repositories of a cluster's Repository objects open.
type Cache struct {
	objects client.Reader // the cache of the manager
	secrets client.Reader // the API server
	options Options
	metrics *metrics
	porch   *porchNotifier  // nil without
	status  key             // of the Repository that has a status branch; zero without
	reading context.Context // of what reads of open repositories fetch
	end     context.CancelFunc

	mu      sync.Mutex
	entries map[key]*entry
	sources []func(ctx context.Context, repository key, what snapshot.Change, except map[key]bool)
}

// NewCache makes a Cache that has opened nothing. objects reads Repositories, and writes them to notify Porch; secrets reads
// Secrets, uncached.
func NewCache(objects client.Client, secrets client.Reader, o Options) (*Cache, error) {
	m, err := newMetrics()
	c := &Cache{objects: objects, secrets: secrets, options: o, metrics: m, entries: map[key]*entry{}}
	c.reading, c.end = context.WithCancel(context.Background())
	if o.Served != nil {
		c.options.Porch, c.options.NotifyPorch = PorchPresent, false
	}
	if c.options.NotifyPorch {
		c.porch = &porchNotifier{client: objects}
	}
	return c, err
}

// MapFunc maps a change in a repository to requests. The objects in except need none: they caused the fetch, and see the
// change themselves.
type MapFunc func(ctx context.Context, repository types.NamespacedName, what snapshot.Change,
	except map[types.NamespacedName]bool) []reconcile.Request

// Source is the source of a controller that enqueues requests for changes in repositories.
func (c *Cache) Source(requests MapFunc) source.Source {
	return source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sources = append(c.sources, func(ctx context.Context, repository key, what snapshot.Change, except map[key]bool) {
			for _, r := range requests(ctx, repository, what, except) {
				queue.Add(r)
			}
		})
		return nil
	})
}

// changed enqueues requests for a change in a repository.
func (c *Cache) changed(ctx context.Context, repository key, what snapshot.Change, except map[key]bool) {
	c.mu.Lock()
	sources := slices.Clone(c.sources)
	c.mu.Unlock()
	for _, enqueue := range sources {
		enqueue(ctx, repository, what, except)
	}
}

// Names are the names of the Repository objects of a namespace, sorted.
func (c *Cache) Names(ctx context.Context, namespace string) (names []string, err error) {
	var list porchconfig.RepositoryList
	err = c.objects.List(ctx, &list, client.InNamespace(namespace), client.UnsafeDisableDeepCopy)
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	slices.Sort(names)
	return names, err
}

// Revisions returns those of the open repositories of a namespace, by the names of the Repository objects.
func (c *Cache) Revisions(namespace string) map[string][]revision.Revision {
	out := map[string][]revision.Revision{}
	for _, r := range c.open(namespace) {
		if revisions, err := r.Store.List(); err == nil { // what cannot be listed cannot be read by PackageVariants either
			out[r.Name] = revisions
		}
	}
	return out
}

// open are the open repositories of a namespace.
func (c *Cache) open(namespace string) (out []snapshot.View) {
	c.mu.Lock()
	entries := maps.Clone(c.entries)
	c.mu.Unlock()
	for at, e := range entries {
		if at.Namespace == namespace {
			e.update(func() {
				if e.repo != nil {
					out = append(out, e.view(at))
				}
			})
		}
	}
	return out
}

// overlap notes through which Repositories the revisions of a repository were made, and says which others show the same;
// "" for none.
func (c *Cache) overlap(at key, e *entry, revisions []revision.Revision) string {
	var this snapshot.View
	e.update(func() {
		e.through = snapshot.Through(at.Namespace, revisions)
		this = e.view(at)
	})
	var found []string
	for _, other := range c.open(at.Namespace) {
		if o, overlaps := this.Overlaps(other); overlaps {
			found = append(found, o.String())
		}
	}
	slices.Sort(found)
	return strings.Join(found, "; ")
}

// entry is that of a Repository object, new when there was none.
func (c *Cache) entry(at key) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[at]
	if e == nil {
		e = &entry{fetching: make(chan struct{}, 1)}
		c.entries[at] = e
	}
	return e
}

// update changes the entry of a Repository object.
func (c *Cache) update(at key, change func(e *entry)) {
	e := c.entry(at)
	e.update(func() { change(e) })
}

// remove drops the repository of an object that was deleted.
func (c *Cache) remove(ctx context.Context, at key) {
	c.mu.Lock()
	delete(c.entries, at)
	c.mu.Unlock()
	c.metrics.forget(at)
	c.changed(ctx, at, snapshot.Change{All: true}, nil)
}

// Invalidate has the next batch fetch a repository, however fresh it is: what was in memory led to a failure.
func (c *Cache) Invalidate(at types.NamespacedName) { c.update(at, func(e *entry) { e.stale = true }) }

// Reopen has the repository opened again when it is next read: the memory may differ from the server.
func (c *Cache) Reopen(at types.NamespacedName) { c.update(at, func(e *entry) { e.reopen = true }) }

// retryDelay is how long to wait before the next fetch of a repository that failed.
func (c *Cache) retryDelay(at key) (delay time.Duration) {
	c.update(at, func(e *entry) { delay = max(time.Until(e.retryAt), 0) })
	return delay
}
