package binding

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

// fleetOf writes a package of that size: every tenth policy of a hundred selects by names, the
// others by labels, and each takes a tenth of the clusters.
func fleetOf(clusters, objects, policies int) string {
	var b strings.Builder
	for i := range clusters {
		fmt.Fprintf(&b, "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\n"+
			"metadata: {name: c%d, labels: {site: s%d, tier: t%d}}\n", i, i%10, i%3)
	}
	for i := range objects {
		fmt.Fprintf(&b, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web%d, namespace: n%d, labels: {part-of: p%d}}\n"+
			"spec: {replicas: 2, template: {spec: {containers: [{name: web, image: web, env: [{name: A, value: b}]}]}}}\n", i, i%20, i%10)
	}
	for i := range policies {
		fmt.Fprintf(&b, "---\napiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata: {name: p%d}\n"+
			"spec:\n  clusterSelectors: [{matchLabels: {site: s%d}}]\n  downsync:\n"+
			"  - {resources: [deployments], objectSelectors: [{matchLabels: {part-of: p%d}}]}\n"+
			"  - {resources: [configmaps], namespaceSelectors: [{matchExpressions: [{key: team, operator: Exists}]}]}\n"+
			"  - {objectNames: [web%d], createOnly: true}\n", i, i%10, i%10, i)
	}
	return b.String()
}

func BenchmarkResolve(b *testing.B) {
	for _, size := range []struct{ clusters, objects, policies int }{
		{10, 10, 1}, {100, 100, 10}, {1000, 1000, 10}, {1000, 1000, 100}, {1000, 5000, 100},
	} {
		b.Run(fmt.Sprintf("clusters=%d/objects=%d/policies=%d", size.clusters, size.objects, size.policies), func(b *testing.B) {
			in := &fn.Input{Items: parse(b, fleetOf(size.clusters, size.objects, size.policies))}
			if size.objects <= 100 {
				fntest.CheckLaws(b, Function, in, nil)
			}
			if out := Function.Apply(context.Background(), in); out.Failed() {
				b.Fatal(fn.FormatResult(out.Results[0]))
			}
			b.ReportAllocs()
			for b.Loop() {
				Function.Apply(context.Background(), in)
			}
			b.ReportMetric(float64(size.objects)*float64(b.N)/b.Elapsed().Seconds(), "objects/s")
		})
	}
}
