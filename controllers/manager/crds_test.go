package manager_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// TestWithoutCRDs says which kinds an API server lacks, and where to find them.
func TestWithoutCRDs(t *testing.T) {
	c := clustertest.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := manager.Run(ctx, c.Admin(), manager.Options{Functions: noFunctions{}})
	want := "the API server does not know Repository.v1alpha1.config.porch.kpt.dev, PackageVariant.v1alpha1.config.porch.kpt.dev, " +
		"PackageVariantSet.v1alpha2.config.porch.kpt.dev, ChangeBudget.v1alpha1.waybill.dev: apply the CustomResourceDefinitions of controllers/manifests/crds first"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	for _, kind := range []string{"repositories", "packagevariants"} {
		c.InstallCRDs(t, "../manifests/crds/config.porch.kpt.dev_"+kind+".yaml")
	}
	err = manager.Run(ctx, c.Admin(), manager.Options{Functions: noFunctions{}})
	want = "the API server does not know PackageVariantSet.v1alpha2.config.porch.kpt.dev, ChangeBudget.v1alpha1.waybill.dev: apply " +
		"config.porch.kpt.dev_packagevariantsets.yaml and waybill.dev_changebudgets.yaml of controllers/manifests/crds; " +
		"the definitions that are there, such as Porch's, serve and can stay"
	if err == nil || err.Error() != want {
		t.Errorf("some are there: got %v", err)
	}
}

// TestSyncAlone runs the controller of PublishedResources with the CustomResourceDefinitions that it needs, and no others. The
// controllers of packages begin when their kinds come.
func TestSyncAlone(t *testing.T) {
	w := &env{TB: t, Cluster: clustertest.Start(t), log: &clustertest.Log{}, patience: 30 * time.Second, namespace: "retail"}
	w.InstallCRDs(t, "../manifests/crds/waybill.dev_publishedresources.yaml")
	w.InstallCRDs(t, "../../testdata/crds/publishedresource/home")
	w.InstallCRDs(t, "../../testdata/crds/publishedresource/shop/orders.yaml")
	for _, namespace := range []string{w.namespace, publishedresource.DefaultStateNamespace} {
		if _, err := w.Kubectl(t, w.Admin(), "", "create", "namespace", namespace); err != nil {
			t.Fatal(err)
		}
	}
	o := manager.Options{
		Functions: noFunctions{}, FirstRetry: 50 * time.Millisecond, LastRetry: 200 * time.Millisecond, PollInterval: 300 * time.Millisecond,
		Log: logr.FromSlogHandler(slog.NewTextHandler(w.log, nil)),
		PublishedResource: &publishedresource.Options{Workspaces: []publishedresource.Workspace{{Name: "ws", Config: w.Admin()}},
			FirstRetry: 20 * time.Millisecond, LastRetry: 200 * time.Millisecond},
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- manager.Run(ctx, w.Admin(), o) }()
	w.apply("{apiVersion: waybill.dev/v1alpha1, kind: PublishedResource, metadata: {name: orders}, spec: {resource: {apiGroup: apps.provider.example, kind: ShopOrder, versions: [v2]}, "+
		"projection: {group: shop.example.org, kind: Order, version: v1}}}", "{apiVersion: shop.example.org/v1, kind: Order, metadata: {name: o}, spec: {size: small}}")
	w.eventually("an Order has a copy", "small", func() string {
		out, err := w.Kubectl(t, w.Admin(), "", "get", "shoporders", "-n", "ws", "-o", "jsonpath={.items[*].spec.size}")
		if err != nil {
			t.Fatal(err)
		}
		return out
	})
	if !strings.Contains(w.log.String(), "Repository.v1alpha1.config.porch.kpt.dev, PackageVariant.v1alpha1.config.porch.kpt.dev") {
		t.Errorf("the log does not say which kinds are not known:\n%s", w.log)
	}
	w.InstallCRDs(t, "../manifests/crds")
	w.apply("{apiVersion: config.porch.kpt.dev/v1alpha1, kind: Repository, metadata: {name: registry}, spec: {type: oci, oci: {registry: 'example.com/packages:v1'}}}")
	w.eventually("Repositories are reconciled once all kinds are known", `False Error: spec.oci.registry "example.com/packages:v1": want HOST or HOST/PATH, without a tag or digest`,
		func() string { return w.ready("repository/registry") })
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the controller ended with %v", err)
	}
}
