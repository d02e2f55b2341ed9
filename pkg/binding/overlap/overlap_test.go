package overlap

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// TestFindPolicies compares the policies that overlap with any other, as they are found object by object,
// with a search of every pair, cluster and object.
func TestFindPolicies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawFinder(t)
		same, differ := newOverlaps(len(r.policies))
		r.findPolicies(same, differ)
		for _, o := range []*overlap{same, differ} {
			members, objects := r.naivePolicies(o == same)
			var got []int
			for i := range r.policies {
				if o.policies.has(i) {
					got = append(got, i)
				}
			}
			if d := cmp.Diff(members, got); d != "" || o.n != len(members) || o.objects != objects {
				t.Errorf("%s: n %d, objects %d, want %d; members (-naive +got):\n%s", o.severity, o.n, o.objects, objects, d)
			}
		}
	})
}

// drawFinder draws what up to 5 policies select of 70 clusters and 3 objects.
func drawFinder(t *rapid.T) *finder {
	var policies []*match.Policy
	var objects []*match.Candidate
	for i := range 3 {
		objects = append(objects, &match.Candidate{Index: i})
	}
	for range rapid.IntRange(0, 5).Draw(t, "policies") {
		p := &match.Policy{Destinations: rapid.SliceOfNDistinct(rapid.SampledFrom([]int{0, 1, 63, 64, 69}), 0, 3, rapid.ID[int]).Draw(t, "clusters")}
		for _, e := range objects {
			if rapid.Bool().Draw(t, "picked") {
				got := match.Pick{Candidate: e}
				got.Modulation.CreateOnly = rapid.Bool().Draw(t, "createOnly")
				p.Picks = append(p.Picks, got)
			}
		}
		policies = append(policies, p)
	}
	return newFinder(policies, make([]workload.Cluster, 70), objects)
}

// naivePolicies are the policies that share an object and a cluster with another that has the same createOnly
// for it, or another, and the number of these objects.
func (f *finder) naivePolicies(same bool) (members []int, objects int) {
	met := map[int]bool{}
	for i, p := range f.policies {
		in := false
		for j, q := range f.policies {
			for _, c := range p.Destinations {
				for _, a := range p.Picks {
					for _, b := range q.Picks {
						if i != j && a.Candidate == b.Candidate && slices.Contains(q.Destinations, c) && (a.Modulation.CreateOnly == b.Modulation.CreateOnly) == same {
							in, met[a.Index] = true, true
						}
					}
				}
			}
		}
		if in {
			members = append(members, i)
		}
	}
	return members, len(met)
}
