package binding

import (
	"fmt"
	"math/bits"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(size int) bitset { return make(bitset, (size+63)/64) }

func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }

func (b bitset) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// common counts what a and b share and names the first of it, -1 when there is none.
func (b bitset) common(other bitset) (n, first int) {
	first = -1
	for i := range b {
		both := b[i] & other[i]
		if both != 0 && first < 0 {
			first = i*64 + bits.TrailingZeros64(both)
		}
		n += bits.OnesCount64(both)
	}
	return n, first
}

// reach is what a policy selects, as sets.
type reach struct {
	clusters bitset
	objects  bitset
	create   bitset // objects with createOnly
}

func (r *resolver) reachOf(p *policy) reach {
	out := reach{newBitset(len(r.inventory.Clusters)), newBitset(len(r.universe.entries)), newBitset(len(r.universe.entries))}
	for _, i := range p.destinations {
		out.clusters.add(i)
	}
	for _, e := range p.picks {
		out.objects.add(e.index)
		if e.wants.CreateOnly {
			out.create.add(e.index)
		}
	}
	return out
}

// reportOverlaps tells every pair of policies that send an object to the same cluster: an info for
// the objects of which both say the same, a warning for those that only one may update.
func (r *resolver) reportOverlaps() {
	reaches := make([]reach, len(r.policies))
	for i, p := range r.policies {
		reaches[i] = r.reachOf(p)
	}
	for i := range r.policies {
		for j := i + 1; j < len(r.policies); j++ {
			clusters, first := reaches[i].clusters.common(reaches[j].clusters)
			if clusters > 0 {
				r.reportOverlap(i, j, reaches, fmt.Sprintf("%s (first %s)", count(clusters, "cluster"), r.inventory.Clusters[first].Name))
			}
		}
	}
}

func (r *resolver) reportOverlap(i, j int, reaches []reach, where string) {
	a, b := reaches[i], reaches[j]
	if n, _ := a.objects.common(b.objects); n == 0 {
		return
	}
	same, differ := newBitset(len(r.universe.entries)), newBitset(len(r.universe.entries))
	for _, e := range r.policies[i].picks {
		switch {
		case !b.objects.has(e.index):
		case a.create.has(e.index) == b.create.has(e.index):
			same.add(e.index)
		default:
			differ.add(e.index)
		}
	}
	at, object := field.NewPath("spec", "downsync"), r.policies[i].object
	text := func(n, first int) string {
		return fmt.Sprintf("policies %q and %q both send %s (first %s) to %s", r.policies[i].Name, r.policies[j].Name,
			count(n, "object"), r.nameOf(first), where)
	}
	if n, first := same.common(same); n > 0 {
		r.report(sdk.Info, object, at, "%s", text(n, first))
	}
	if n, first := differ.common(differ); n > 0 {
		r.report(sdk.Warning, object, at, "%s, but only one says createOnly: there it has no effect", text(n, first))
	}
}

// count is a number of things, in words: "1 cluster", "2 clusters".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// nameOf is the object at an index of the universe, as a person calls it.
func (r *resolver) nameOf(index int) string {
	e := r.universe.entries[index]
	if e.namespace == "" {
		return e.object.Kind() + " " + e.name
	}
	return e.object.Kind() + " " + e.namespace + "/" + e.name
}
