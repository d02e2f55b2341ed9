package live

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// ErrNotSynced means that the objects of a type have not been listed yet.
var ErrNotSynced = errors.New("its objects are not known yet")

// CacheUser gets the changes of the caches that it uses, from many goroutines.
type CacheUser interface {
	// ObjectChanged is called for one object: before is nil for a new one, after for a deleted one.
	ObjectChanged(c *Cache, before, after *krm.Object)
	// KnowledgeChanged is called when a cache may hold more of what exists than before, or less.
	KnowledgeChanged()
}

// Cache holds all objects of one resource of one server, for all its users. What it returns must not be changed.
type Cache struct {
	Server *Server
	Resource

	stop  func()
	store cache.ThreadSafeStore // of *entry, by namespace/name

	mu         sync.Mutex
	partitions []*partition
	users      map[CacheUser]bool
	writing    map[Key]*pendingWrite
	changed    time.Time // when an object was last created or deleted
}

// entry is an object in a cache.
type entry struct {
	object   *krm.Object
	revision uint64
	// observed says that the object came from a list or watch, and not only from the answer to a write.
	observed bool
}

// pendingWrite counts the writes to an object that wait for an answer.
type pendingWrite struct {
	count   int
	deleted bool // the object was deleted meanwhile
}

// Indexers are functions by name that list the values under which an object is found in a Cache.
type Indexers map[string]func(*krm.Object) []string

func newCache(s *Server, of Resource, indexers Indexers) *Cache {
	byEntry := cache.Indexers{}
	for name, values := range indexers {
		byEntry[name] = func(e any) ([]string, error) { return values(e.(*entry).object), nil }
	}
	return &Cache{Server: s, Resource: of, store: cache.NewThreadSafeStore(byEntry, cache.Indices{}), users: map[CacheUser]bool{},
		writing: map[Key]*pendingWrite{}}
}

// Err says why the cache may not hold all objects that exist; nil when it does.
func (c *Cache) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.partitions {
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

// UnchangedFor is the time since an object was last created or deleted.
func (c *Cache) UnchangedFor() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Since(c.changed)
}

// Get returns an object; nil if it does not exist.
func (c *Cache) Get(key Key) *krm.Object {
	if e := c.entry(key); e != nil {
		return e.object
	}
	return nil
}

func (c *Cache) entry(key Key) *entry {
	e, ok := c.store.Get(key.String())
	if !ok {
		return nil
	}
	return e.(*entry)
}

// Len is the number of objects.
func (c *Cache) Len() int { return len(c.store.ListKeys()) }

// ByIndex returns the objects that an index has under a value, sorted by key.
func (c *Cache) ByIndex(index, value string) []*krm.Object {
	found, _ := c.store.ByIndex(index, value) // an error is an index that does not exist
	return sortedObjects(found)
}

// List returns all objects, sorted by key.
func (c *Cache) List() []*krm.Object { return sortedObjects(c.store.List()) }

func sortedObjects(entries []any) []*krm.Object {
	out := make([]*krm.Object, len(entries))
	for i, e := range entries {
		out[i] = e.(*entry).object
	}
	slices.SortFunc(out, func(a, b *krm.Object) int { return compareKeys(KeyOf(a), KeyOf(b)) })
	return out
}

// Put stores an object unless a later state of it is stored, and notifies all users except one.
func (c *Cache) Put(o *krm.Object, except CacheUser) { c.put(o, false, except) }

func (c *Cache) put(o *krm.Object, observed bool, except CacheUser) {
	before, changed := c.replace(o, observed)
	if changed {
		c.notify(before, o, except)
	}
}

func (c *Cache) replace(o *krm.Object, observed bool) (before *krm.Object, changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	revision := revisionOf(o)
	if e := c.entry(KeyOf(o)); e != nil {
		observed = observed || e.observed
		if revision <= e.revision && revision > 0 {
			c.store.Update(KeyOf(o).String(), &entry{e.object, e.revision, observed})
			return nil, false
		}
		before = e.object
	} else {
		c.changed = time.Now()
	}
	c.store.Update(KeyOf(o).String(), &entry{o, revision, observed})
	return before, true
}

func (c *Cache) delete(key Key) {
	c.mu.Lock()
	e := c.entry(key)
	if e != nil {
		c.store.Delete(key.String())
		c.changed = time.Now()
	}
	if w := c.writing[key]; w != nil {
		w.deleted = true
	}
	c.mu.Unlock()
	if e != nil {
		c.notify(e.object, nil, nil)
	}
}

// MarkDeleting marks an object as being deleted after the API server accepted that, until a list or watch has a later state.
func (c *Cache) MarkDeleting(o *krm.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entry(KeyOf(o))
	if e == nil || UID(e.object) != UID(o) || IsDeleting(e.object) {
		return
	}
	marked := e.object.DeepCopy()
	krm.SetField(marked.Lookup("metadata"), "deletionTimestamp", krm.StringNode("1970-01-01T00:00:00Z")) // nothing reads the time
	c.store.Update(KeyOf(o).String(), &entry{marked, e.revision, e.observed})
}

// BeginWrite announces a write, so that the answer does not overwrite what a watch brings meanwhile. The result takes the
// answer, nil for none, and notifies all users except one.
func (c *Cache) BeginWrite(key Key) (end func(answer *krm.Object, except CacheUser)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.writing[key]
	if w == nil {
		w = &pendingWrite{}
		c.writing[key] = w
	}
	w.count++
	return func(answer *krm.Object, except CacheUser) {
		c.mu.Lock()
		deleted := w.deleted
		if w.count--; w.count == 0 {
			delete(c.writing, key)
		}
		c.mu.Unlock()
		if answer != nil && !deleted {
			c.put(answer, false, except)
		}
	}
}

func (c *Cache) notify(before, after *krm.Object, except CacheUser) {
	for _, u := range c.listUsers() {
		if u != except {
			u.ObjectChanged(c, before, after)
		}
	}
}

func (c *Cache) knowledgeChanged() {
	for _, u := range c.listUsers() {
		u.KnowledgeChanged()
	}
}

func (c *Cache) listUsers() []CacheUser {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.users))
}
