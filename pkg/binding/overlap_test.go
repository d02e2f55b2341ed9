package binding

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// overlappingPolicies writes a package whose policies all select all objects for all clusters; every second one
// says createOnly when mixed.
func overlappingPolicies(policies, clusters, objects int, mixed bool) string {
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

// TestOverlapsAreBounded checks that the first of many pairs are named and the rest summed up.
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
			out := Function.Apply(context.Background(), &fn.Input{Items: parse(t, overlappingPolicies(tc.policies, 2, 3, tc.mixed))})
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

// BenchmarkOverlaps is the worst case: every policy meets every other, on every cluster, with
// every object.
func BenchmarkOverlaps(b *testing.B) {
	for _, policies := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("policies=%d", policies), func(b *testing.B) {
			in := &fn.Input{Items: parse(b, overlappingPolicies(policies, 100, 100, true))}
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
