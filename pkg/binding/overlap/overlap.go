package overlap

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Report reports what policies have in common: first pairs that overlap, then objects of which a policy wants one status although
// not exactly one cluster has them.
func Report(policies []*match.Policy, clusters []workload.Cluster, objects []*match.Candidate) sdk.Results {
	f := newFinder(policies, clusters, objects)
	f.reportOverlaps()
	f.reportSingletons()
	return f.results
}

// finder compares policies.
type finder struct {
	policies []*match.Policy
	selected []selected // by policy
	clusters []workload.Cluster
	objects  []*match.Candidate
	results  sdk.Results
}

// selected is what a policy selects.
type selected struct {
	clusters   bitset
	objects    bitset
	createOnly bitset // objects
}

func newFinder(policies []*match.Policy, clusters []workload.Cluster, objects []*match.Candidate) *finder {
	f := &finder{policies: policies, clusters: clusters, objects: objects}
	for _, p := range policies {
		s := selected{newBitset(len(clusters)), newBitset(len(objects)), newBitset(len(objects))}
		for _, i := range p.Destinations {
			s.clusters.add(i)
		}
		for _, e := range p.Picks {
			s.objects.add(e.Index)
			if e.Modulation.CreateOnly {
				s.createOnly.add(e.Index)
			}
		}
		f.selected = append(f.selected, s)
	}
	return f
}

// common counts the objects of two policies: those for which both have the same createOnly, and the others.
func (s selected) common(t selected) (same, differ tally) {
	for i := range s.objects {
		both, odd := s.objects[i]&t.objects[i], s.createOnly[i]^t.createOnly[i]
		same.addWord(i, both&^odd)
		differ.addWord(i, both&odd)
	}
	return same, differ
}

// overlap is one way in which policies overlap.
type overlap struct {
	severity sdk.Severity
	effect   string
	most     int    // the most pairs of policies to name; one more result counts all
	named    int    // the pairs named so far, or most+1
	policies bitset // those that overlap with another
	n        int    // of policies
	objects  int    // that they have in common
}

func newOverlaps(policies int) (same, differ *overlap) {
	same = &overlap{severity: sdk.Info, most: 50, policies: newBitset(policies)}
	differ = &overlap{severity: sdk.Warning, most: 200, policies: newBitset(policies),
		effect: ", but only one says createOnly: there it has no effect"}
	return same, differ
}

// mayName reports whether two policies may be a pair to name.
func (o *overlap) mayName(i, j int) bool {
	return o.named <= o.most && o.policies.has(i) && o.policies.has(j)
}

// reportOverlaps reports pairs of policies that send an object to the same cluster: an info for
// the objects with the same createOnly, a warning for those that only one policy may update.
//
// A thousand policies may be half a million pairs. So it first finds, object by object, the policies that overlap with any
// other. Each of them is in a pair, so a few of them are enough to find all pairs to name.
func (f *finder) reportOverlaps() {
	same, differ := newOverlaps(len(f.policies))
	f.findPolicies(same, differ)
	for i := range f.policies {
		for j := i + 1; j < len(f.policies) && (same.mayName(i, i) || differ.mayName(i, i)); j++ {
			if (same.mayName(i, j) || differ.mayName(i, j)) && f.selected[i].clusters.intersects(f.selected[j].clusters) {
				alike, unlike := f.selected[i].common(f.selected[j])
				f.reportPair(same, i, j, alike)
				f.reportPair(differ, i, j, unlike)
			}
		}
	}
	for _, o := range []*overlap{same, differ} {
		if o.named > o.most {
			f.report(o.severity, nil, nil, "in all, several of %d policies send %s to the same cluster%s; the first %d pairs of policies are named",
				o.n, selection.Count(o.objects, "object"), o.effect, o.most)
		}
	}
}

// reportPair names two policies with objects in common, unless enough are named.
func (f *finder) reportPair(o *overlap, i, j int, objects tally) {
	if objects.n == 0 || o.named > o.most {
		return
	}
	if o.named++; o.named > o.most {
		return
	}
	clusters := f.selected[i].clusters.common(f.selected[j].clusters)
	f.report(o.severity, f.policies[i].Object, field.NewPath("spec", "downsync"),
		"policies %q and %q both send %s (first %s) to %s (first %s)%s",
		f.policies[i].Name, f.policies[j].Name, selection.Count(objects.n, "object"), nameOf(f.objects[objects.first]),
		selection.Count(clusters.n, "cluster"), f.clusters[clusters.first].Name, o.effect)
}

func (f *finder) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	f.results = append(f.results, fn.NewResult(sev, o, at, format, args...))
}

func nameOf(e *match.Candidate) string {
	if e.Namespace == "" {
		return e.Object.Kind() + " " + e.Name
	}
	return e.Object.Kind() + " " + e.Namespace + "/" + e.Name
}
