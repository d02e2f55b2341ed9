package objectcache

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// kindCache holds the objects of one kind in one namespace: a list that a watch keeps current. Without a watch, each read
// lists the objects.
type kindCache struct {
	scope   scope
	cache   *Cache
	stop    context.CancelFunc
	started time.Time

	listing sync.Mutex // one list at a time

	mu      sync.Mutex
	current bool // a watch keeps contents current
	contents
	version int // counts the changes of contents
}

// contents are the objects by namespace and name, or why there are none.
type contents struct {
	objects map[string]projected
	err     error
}

// projected is what the cache keeps of an object.
type projected struct {
	object *krm.Object
	text   string // of object, in canonical form
}

// snapshot is one version of the contents.
type snapshot struct {
	objects []*krm.Object // sorted
	err     error
	version int
}

// read returns the present objects. The second error may disappear without any change, and says nothing about the
// objects.
func (k *kindCache) read(ctx context.Context) (snapshot, error) {
	if s, current := k.snapshot(); current {
		return s, nil
	}
	if _, _, err := k.list(ctx, false); err != nil && !apierror.IsPermanent(err) {
		return snapshot{}, err
	}
	s, _ := k.snapshot()
	return s, nil
}

func (k *kindCache) snapshot() (s snapshot, current bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s.err, s.version = k.err, k.version
	for _, p := range k.objects {
		s.objects = append(s.objects, p.object)
	}
	slices.SortFunc(s.objects, func(x, y *krm.Object) int {
		return cmp.Or(cmp.Compare(x.Namespace(), y.Namespace()), cmp.Compare(x.Name(), y.Name()))
	})
	return s, k.current
}

func (k *kindCache) currentVersion() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.version
}

// replace replaces all contents, and enqueues readers after a change.
func (k *kindCache) replace(c contents, current bool) {
	k.mu.Lock()
	k.current = k.current || current
	changed := !c.equal(k.contents)
	k.contents = c
	k.changed(changed)
}

// put adds or replaces one object; nil removes it.
func (k *kindCache) put(name string, p *projected) {
	k.mu.Lock()
	before, found := k.objects[name]
	changed := p == nil && found || p != nil && (!found || p.text != before.text)
	if changed {
		if delete(k.objects, name); p != nil {
			k.objects[name] = *p
		}
	}
	k.changed(changed)
}

// changed unlocks the cache, and enqueues readers after a change.
func (k *kindCache) changed(changed bool) {
	if changed {
		k.version++
	}
	k.mu.Unlock()
	if changed {
		k.cache.changed(k.scope)
	}
}

// watchEnded records that nothing keeps the contents current.
func (k *kindCache) watchEnded() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.current = false
}

func (c contents) equal(d contents) bool {
	if c.err != nil || d.err != nil {
		return c.err != nil && d.err != nil && c.err.Error() == d.err.Error()
	}
	return maps.EqualFunc(c.objects, d.objects, func(x, y projected) bool { return x.text == y.text })
}
