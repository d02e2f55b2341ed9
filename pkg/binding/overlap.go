package binding

import (
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/binding/match"
)

// overlap is one way in which policies overlap.
type overlap struct {
	severity sdk.Severity
	but      string // what it leads to
	most     int    // so many pairs of policies are named; one more result counts what there is
	named    int    // so many are named, or most+1
	crowd
}

func newOverlaps(policies int) (same, differ *overlap) {
	same = &overlap{severity: sdk.Info, most: 50}
	differ = &overlap{severity: sdk.Warning, most: 200, but: ", but only one says createOnly: there it has no effect"}
	same.policies, differ.policies = newBitset(policies), newBitset(policies)
	return same, differ
}

// wants reports whether two policies may be a pair that is to be named.
func (o *overlap) wants(i, j int) bool { return o.named <= o.most && o.has(i, j) }

// reach is what a policy selects, as sets.
type reach struct {
	clusters bitset
	objects  bitset
	create   bitset // objects with createOnly
}

func (r *resolver) reachOf(p *match.Policy) reach {
	out := reach{newBitset(len(r.inventory.Clusters)), newBitset(len(r.universe.All)), newBitset(len(r.universe.All))}
	for _, i := range p.Destinations {
		out.clusters.add(i)
	}
	for _, e := range p.Picks {
		out.objects.add(e.Index)
		if e.Modulation.CreateOnly {
			out.create.add(e.Index)
		}
	}
	return out
}

// meet tallies the objects of two policies: those of which both say the same, and those that only
// one of them may update.
func (a reach) meet(b reach) (same, differ tally) {
	for i := range a.objects {
		both, odd := a.objects[i]&b.objects[i], a.create[i]^b.create[i]
		same.addWord(i, both&^odd)
		differ.addWord(i, both&odd)
	}
	return same, differ
}

// reportOverlaps tells pairs of policies that send an object to the same cluster: an info for
// the objects of which both say the same, a warning for those that only one may update.
//
// A thousand policies may be half a million pairs. So those that overlap with any other are found
// first, object by object. Each of them is in a pair, so that a look at few of them is enough to
// find all pairs that are named.
func (r *resolver) reportOverlaps() {
	reaches := make([]reach, len(r.policies))
	for i, p := range r.policies {
		reaches[i] = r.reachOf(p)
	}
	same, differ := newOverlaps(len(r.policies))
	r.findCrowds(reaches, &same.crowd, &differ.crowd)
	for i := range r.policies {
		for j := i + 1; j < len(r.policies) && (same.wants(i, i) || differ.wants(i, i)); j++ {
			if (same.wants(i, j) || differ.wants(i, j)) && reaches[i].clusters.meets(reaches[j].clusters) {
				alike, unlike := reaches[i].meet(reaches[j])
				r.reportPair(same, i, j, reaches, alike)
				r.reportPair(differ, i, j, reaches, unlike)
			}
		}
	}
	r.reportCrowd(same)
	r.reportCrowd(differ)
}

// reportPair names two policies that share objects, unless enough are named.
func (r *resolver) reportPair(o *overlap, i, j int, reaches []reach, objects tally) {
	if objects.n == 0 || o.named > o.most {
		return
	}
	if o.named++; o.named > o.most {
		return
	}
	clusters := reaches[i].clusters.common(reaches[j].clusters)
	r.report(o.severity, r.policies[i].Object, field.NewPath("spec", "downsync"),
		"policies %q and %q both send %s (first %s) to %s (first %s)%s",
		r.policies[i].Name, r.policies[j].Name, count(objects.n, "object"), r.nameOf(objects.first),
		count(clusters.n, "cluster"), r.inventory.Clusters[clusters.first].Name, o.but)
}

// reportCrowd sums up what is too much to be told pair by pair.
func (r *resolver) reportCrowd(o *overlap) {
	if o.named > o.most {
		r.report(o.severity, nil, nil, "in all, several of %d policies send %s to the same cluster%s; the first %d pairs of policies are named",
			o.n, count(o.objects, "object"), o.but, o.most)
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
	e := r.universe.All[index]
	if e.Namespace == "" {
		return e.Object.Kind() + " " + e.Name
	}
	return e.Object.Kind() + " " + e.Namespace + "/" + e.Name
}
