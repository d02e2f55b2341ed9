package previous

import (
	"hash/maphash"
	"slices"
	"strconv"
	"sync"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// holding is what a work holds. Works that hold the same objects share it: a fleet has few of them.
type holding struct {
	ids     []krm.ID // of all manifests, in their order
	entries int      // how many of them, the last ones, are hand-over entries
}

// newHolding is the holding of a work with manifests of those identities. If the count of its hand-over entries cannot be read, all
// of them are ordinary: that keeps more than it must.
func newHolding(work *krm.Object, ids []krm.ID) holding {
	entries, err := strconv.Atoi(work.Annotation(fn.HandOver))
	if err != nil || entries < 0 || entries > len(ids) {
		entries = 0
	}
	return holding{ids, entries}
}

// parsedIDs are the identities of the manifests of a work, which is parsed.
func parsedIDs(work *krm.Object) (ids []krm.ID) {
	for _, m := range manifest.InWork(work) {
		ids = append(ids, krm.FromNode(m).ID())
	}
	return ids
}

func (h *holding) equals(other holding) bool {
	return h.entries == other.entries && slices.Equal(h.ids, other.ids)
}

// isObject reports whether a manifest with that identity is an object. If not, a user has edited it.
func isObject(id krm.ID) bool { return id.Kind != "" && id.Name != "" }

// whole reports whether all manifests are objects.
func (h *holding) whole() bool {
	return len(h.ids) > 0 && !slices.ContainsFunc(h.ids, func(id krm.ID) bool { return !isObject(id) })
}

// objects are the objects in h, which is that of work.
func (h *holding) objects(work *krm.Object) []Object {
	out := make([]Object, 0, len(h.ids))
	for i, id := range h.ids {
		if isObject(id) {
			out = append(out, Object{ID: id, Work: work, index: i, HandedOver: i >= len(h.ids)-h.entries})
		}
	}
	return out
}

// holdings keeps one of equal holdings.
type holdings struct {
	mu    sync.Mutex
	seed  maphash.Seed
	known map[uint64][]*holding
}

func newHoldings() *holdings {
	return &holdings{seed: maphash.MakeSeed(), known: map[uint64][]*holding{}}
}

// shared is a holding that equals h; later calls do not change it. The caller may change the list of h.
func (s *holdings) shared(h holding) *holding {
	key := uint64(h.entries)
	for _, id := range h.ids {
		const prime = 1099511628211
		key = key*prime ^ maphash.Comparable(s.seed, id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.known[key] {
		if other.equals(h) {
			return other
		}
	}
	h.ids = slices.Clone(h.ids)
	s.known[key] = append(s.known[key], &h)
	return &h
}
