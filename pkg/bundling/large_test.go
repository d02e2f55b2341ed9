package bundling

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

// TestLargeHandOver checks that there is a warning about client-side apply of a work that only its hand-over entries make too large.
func TestLargeHandOver(t *testing.T) {
	text := strings.Repeat("v", 150_000)
	config := func(name string) string {
		return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: %s}, data: {k: %s}}", name, text)
	}
	binding := func(name, object string) string {
		return "apiVersion: control.kubestellar.io/v1alpha1\nkind: Binding\nmetadata: {name: " + name + "}\nspec:\n  workload:\n    namespaceScope:\n" +
			"    - {group: '', version: v1, resource: configmaps, namespace: shop, name: " + object + ", resourceVersion: ''}\n  destinations: [{clusterId: edge1}]\n"
	}
	items := fntest.Parse(t, "in.yaml", []byte(strings.Join([]string{config("a"), config("b"), binding("shop", "a"), binding("store", "b"),
		"{apiVersion: cluster.open-cluster-management.io/v1, kind: ManagedCluster, metadata: {name: edge1}}\n",
		"apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: edge1\n  name: shop-git-0\n" +
			"  labels: {" + control.OriginBindingLabel + ": shop, " + naming.WDSLabel + ": git}\n  annotations: {waybill.dev/generated-by: bundle-manifestwork}\n" +
			"spec: {workload: {manifests: [" + config("a") + ", " + config("b") + "]}}\n"}, "\n---\n")))
	for i, o := range items {
		o.SetPath("in.yaml", i)
	}
	out := Function.Apply(context.Background(), &fn.Input{Items: items})
	if out.Failed() || !strings.Contains(fmt.Sprint(messages(out)), "1 of 2 works are too large for client-side apply") {
		t.Errorf("results: %q", messages(out))
	}
}

func messages(out *fn.Output) (all []string) {
	for _, r := range out.Results {
		all = append(all, r.Message)
	}
	return all
}
