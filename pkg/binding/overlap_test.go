package binding

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// crowdOf writes a package whose policies all select all objects for all clusters; every second one
// says createOnly when mixed.
func crowdOf(policies, clusters, objects int, mixed bool) string {
	var b strings.Builder
	for i := range clusters {
		fmt.Fprintf(&b, "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: c%03d}\n", i)
	}
	for i := range objects {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: o%03d, namespace: shop}\n", i)
	}
	for i := range policies {
		fmt.Fprintf(&b, "---\napiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata: {name: p%04d}\n"+
			"spec: {clusterSelectors: [{}], downsync: [{resources: [configmaps], createOnly: %t}]}\n", i, mixed && i%2 == 1)
	}
	return b.String()
}

// TestOverlapsAreBounded wants the first pairs of many by name and the rest summed up.
func TestOverlapsAreBounded(t *testing.T) {
	const pair = `%s policies "p%04d" and "p%04d" both send 3 objects (first ConfigMap shop/o000) to 2 clusters (first c000)%s`
	const but = ", but only one says createOnly: there it has no effect"
	cases := map[string]struct {
		reason         string
		policies       int
		mixed          bool
		infos, warns   int
		first, inAll   string
		lastWarn       string
		sumOfWarnings  string
		lastNamedInfos string
	}{
		"AtTheLimit": {
			reason: "fifty pairs, of 1275, are as many as are named", policies: 51, infos: 51,
			first: fmt.Sprintf(pair, "info", 0, 1, ""), inAll: "info in all, several of 51 policies send 3 objects to the same cluster; the first 50 pairs of policies are named",
			lastNamedInfos: fmt.Sprintf(pair, "info", 0, 50, ""),
		},
		"BelowTheLimit": {
			reason: "up to fifty pairs are named and nothing is summed up", policies: 10, infos: 45,
			first: fmt.Sprintf(pair, "info", 0, 1, ""), lastNamedInfos: fmt.Sprintf(pair, "info", 8, 9, ""),
		},
		"Mixed": {
			reason: "warnings have a limit of their own", policies: 100, mixed: true, infos: 51, warns: 201,
			first:          fmt.Sprintf(pair, "info", 0, 2, ""),
			lastNamedInfos: fmt.Sprintf(pair, "info", 1, 3, ""),
			inAll:          "info in all, several of 100 policies send 3 objects to the same cluster; the first 50 pairs of policies are named",
			lastWarn:       fmt.Sprintf(pair, "warning", 4, 11, but),
			sumOfWarnings:  "warning in all, several of 100 policies send 3 objects to the same cluster" + but + "; the first 200 pairs of policies are named",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			out := Function.Apply(context.Background(), &fn.Input{Items: parse(t, crowdOf(tc.policies, 2, 3, tc.mixed))})
			lines := map[sdk.Severity][]string{}
			for _, r := range out.Results {
				lines[r.Severity] = append(lines[r.Severity], string(r.Severity)+" "+r.Message)
			}
			if got := [2]int{len(lines[sdk.Info]), len(lines[sdk.Warning])}; got != [2]int{tc.infos, tc.warns} {
				t.Fatalf("%s: got %d infos and %d warnings", tc.reason, got[0], got[1])
			}
			all := slices.Concat(lines[sdk.Info], lines[sdk.Warning])
			for _, want := range []string{tc.first, tc.lastNamedInfos, tc.inAll, tc.lastWarn, tc.sumOfWarnings} {
				if want != "" && !slices.Contains(all, want) {
					t.Errorf("%s: no result is\n%s\nthe last are\n%s", tc.reason, want, strings.Join(all[max(0, len(all)-3):], "\n"))
				}
			}
		})
	}
}

// TestCrowds holds the policies that are found to overlap with any other, without a look at pairs,
// to what a look at every pair, cluster and object says.
func TestCrowds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawReach(t)
		reaches := make([]reach, len(r.policies))
		for i, p := range r.policies {
			reaches[i] = r.reachOf(p)
		}
		same, differ := newOverlaps(len(reaches))
		r.findCrowds(reaches, &same.crowd, &differ.crowd)
		for _, o := range []*overlap{same, differ} {
			members, objects := r.naiveCrowd(o == same)
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

// drawReach draws what up to 5 policies select of 70 clusters and 3 objects.
func drawReach(t *rapid.T) *resolver {
	r := &resolver{inventory: &workload.Inventory{Clusters: make([]workload.Cluster, 70)}, universe: &match.Candidates{}}
	for i := range 3 {
		r.universe.All = append(r.universe.All, &match.Candidate{Index: i})
	}
	for range rapid.IntRange(0, 5).Draw(t, "policies") {
		p := &match.Policy{Destinations: rapid.SliceOfNDistinct(rapid.SampledFrom([]int{0, 1, 63, 64, 69}), 0, 3, rapid.ID[int]).Draw(t, "clusters")}
		for _, e := range r.universe.All {
			if rapid.Bool().Draw(t, "picked") {
				got := match.Pick{Candidate: e}
				got.Modulation.CreateOnly = rapid.Bool().Draw(t, "createOnly")
				p.Picks = append(p.Picks, got)
			}
		}
		r.policies = append(r.policies, p)
	}
	return r
}

// naiveCrowd is the policies that share an object and a cluster with another that says the same of
// it, or not, and the number of these objects.
func (r *resolver) naiveCrowd(same bool) (members []int, objects int) {
	met := map[int]bool{}
	for i, p := range r.policies {
		in := false
		for j, q := range r.policies {
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

// BenchmarkOverlaps is the worst there is: every policy meets every other, on every cluster, with
// every object.
func BenchmarkOverlaps(b *testing.B) {
	for _, policies := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("policies=%d", policies), func(b *testing.B) {
			in := &fn.Input{Items: parse(b, crowdOf(policies, 100, 100, true))}
			if out := Function.Apply(context.Background(), in); out.Failed() {
				b.Fatal(fn.FormatResult(out.Results[0]))
			}
			b.ReportAllocs()
			for b.Loop() {
				Function.Apply(context.Background(), in)
			}
			b.ReportMetric(float64(policies)*float64(b.N)/b.Elapsed().Seconds(), "policies/s")
		})
	}
}
