package objectcache

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ReadSet is what one reconcile reads from a Cache, and in which version: the read set of an optimistic transaction.
type ReadSet struct {
	cache *Cache
	fail  context.CancelCauseFunc // of the reconcile

	mu       sync.Mutex
	versions map[scope]int
}

// ReadSet returns an empty one. It calls fail when objects cannot be listed for now: a reconcile decides nothing without
// them.
func (c *Cache) ReadSet(fail context.CancelCauseFunc) *ReadSet {
	return &ReadSet{cache: c, fail: fail, versions: map[scope]int{}}
}

// Lister lists the objects of a namespace. Secrets are never among them: what is injected is committed to Git.
func (r *ReadSet) Lister(ctx context.Context, namespace string) injection.Lister {
	return func(apiVersion, kind string) ([]*krm.Object, error) {
		if apiVersion == "v1" && kind == "Secret" {
			return nil, nil
		}
		at := scope{injection.Kind{APIVersion: apiVersion, Kind: kind}, namespace}
		s, err := r.cache.kind(at).read(ctx)
		if err != nil {
			err = fmt.Errorf("list %s of %s in namespace %q: %w", kind, apiVersion, namespace, err)
			r.fail(err)
			return nil, err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.versions[at] = s.version
		return s.objects, s.err
	}
}

// Commit records which kinds the readers of a namespace have read, and returns the readers of kinds that have changed since.
// From now on changes enqueue them.
func (r *ReadSet) Commit(namespace string, reads map[types.NamespacedName][]injection.Kind) (stale []types.NamespacedName) {
	r.cache.setReaders(namespace, reads)
	for reader, kinds := range reads {
		for _, kind := range kinds {
			at := scope{kind, namespace}
			if version, read := r.versions[at]; read && r.cache.kind(at).currentVersion() != version {
				stale = append(stale, reader)
				break
			}
		}
	}
	return stale
}
