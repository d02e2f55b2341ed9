package live

import (
	"errors"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ErrOtherScope means that a type was deleted and created with another scope.
var ErrOtherScope = errors.New("its scope changed between namespaced and cluster-scoped; the controller lists its objects again")

// partition is the part of a Cache that one Watcher fills: one namespace, or all.
type partition struct {
	cache     *Cache
	namespace string
	err       error         // why it may not hold all objects; guarded by cache.mu
	misplaced sets.Set[Key] // objects whose scope is not that of the resource
}

func (c *Cache) addPartition(namespace string) *partition {
	p := &partition{cache: c, namespace: namespace, err: ErrNotSynced, misplaced: sets.New[Key]()}
	c.partitions = append(c.partitions, p)
	return p
}

// Put implements WatchHandler. An object that cannot be read, which no API server sends, counts as absent.
func (p *partition) Put(u *unstructured.Unstructured) {
	if (u.GetNamespace() != "") != p.cache.Namespaced {
		p.misplaced.Insert(client.ObjectKeyFromObject(u))
		p.Failed(ErrOtherScope)
		return
	}
	if o, err := FromUnstructured(u); err == nil {
		p.cache.put(o, true, nil)
	}
}

// Delete implements WatchHandler.
func (p *partition) Delete(namespace, name string) {
	key := Key{Namespace: namespace, Name: name}
	p.misplaced.Delete(key)
	p.cache.delete(key)
}

// Synced implements WatchHandler. It removes the answer to a write if a later list does not have the object.
func (p *partition) Synced(kind, version string) {
	listed, _ := strconv.ParseUint(version, 10, 64)
	switch {
	case kind == "":
		p.setErr(ErrNotServed)
	case p.misplaced.Len() > 0:
		p.setErr(ErrOtherScope)
	default:
		p.setErr(nil)
	}
	for _, e := range p.cache.store.List() {
		e, key := e.(*entry), KeyOf(e.(*entry).object)
		if !e.observed && e.revision <= listed && (p.namespace == "" || p.namespace == key.Namespace) {
			p.cache.delete(key)
		}
	}
	p.cache.knowledgeChanged()
}

// Failed implements WatchHandler.
func (p *partition) Failed(err error) {
	p.setErr(err)
	p.cache.knowledgeChanged()
}

func (p *partition) setErr(err error) {
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	p.err = err
}
