package publishedresource_test

import (
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// startOther starts another server for a second workspace.
func (f *fixture) startOther() (*fixture, *clustertest.Cluster) {
	f.Helper()
	c := clustertest.Start(f.TB)
	c.InstallCRDs(f.TB, "../../testdata/crds/publishedresource/shop")
	other := *f
	other.workspace = f.workspace + "-other"
	other.shop = newCluster(f.TB, c, f.shop.TestNamespace)
	other.shop.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	return &other, c
}

// TestTwoWorkspaces has two servers with an Order of the same name, as two contexts of one kubeconfig, and stops one of them.
func TestTwoWorkspaces(t *testing.T) {
	f := newFixture(t)
	other, c := f.startOther()
	file := t.TempDir() + "/kubeconfig"
	write(t, file, kubeconfigOf(t, map[string]*cluster{f.workspace: f.shop, other.workspace: other.shop}))
	both, err := publishedresource.Workspaces(file, nil)
	f.Must(err)
	f.home.Put(orders)
	f.putOrder("o", "{of: one}")
	other.putOrder("o", "{of: other}")
	f.start(func(o *publishedresource.Options) { o.Workspaces = both })
	one := f.awaitCopy("one", "o", "{of: one}")
	two := other.awaitCopy("the other", "o", "{of: other}")
	if one.GetNamespace() == two.GetNamespace() {
		t.Errorf("both are in the namespace %s", one.GetNamespace())
	}
	f.awaitReady("orders", "True Syncing")
	c.StopAPIServer(t)
	f.awaitReady("orders", "False Unavailable orders of shop.example.org/v1 in the workspace "+other.workspace)
	f.putOrder("o", "{of: one, more: x}")
	f.awaitCopy("one workspace is reconciled without the other", "o", "{of: one, more: x}")
	if other.copyOf("o") == nil {
		t.Error("the workspace does not answer, and its copy was deleted")
	}
	c.StartAPIServer(t)
	other.putOrder("o", "{of: other, more: y}")
	other.awaitCopy("the other workspace is reconciled again", "o", "{of: other, more: y}")
	other.shop.Remove(remote, "Order", "o")
	other.awaitGone("o")
	f.awaitCopy("the copy of the other workspace stays", "o", "{of: one, more: x}")
	f.awaitReady("orders", "True Syncing")
}

// TestServersGoAway stops either API server and starts it again.
func TestServersGoAway(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	f.putOrder("o", "{a: one}")
	f.start()
	f.awaitCopy("at first", "o", "{a: one}")
	f.home.StopAPIServer(t)
	f.putOrder("o", "{a: two}")
	f.putOrder("p", "{a: two}")
	f.home.StartAPIServer(t)
	f.awaitCopy("the destination runs again", "o", "{a: two}")
	f.awaitCopy("for all Orders", "p", "{a: two}")
	f.shop.StopAPIServer(t)
	c := f.copyOf("o")
	f.home.EditStatus(local, "ShopOrder", c.GetName(), `{"status":{"a":1}}`)
	f.shop.StartAPIServer(t)
	f.eventually("the source runs again", func() string { return diff("map[a:1]", f.shop.at(remote, "Order", "o", "status")) })
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.awaitReady("orders", "True Syncing")
}

// TestTwoAtOnce runs two controllers that both believe that they lead.
func TestTwoAtOnce(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	f.start()
	f.start()
	for _, name := range []string{"a", "b", "c"} {
		f.putOrder(name, "{x: one}")
	}
	for _, name := range []string{"a", "b", "c"} {
		f.awaitCopy("created", name, "{x: one}")
		f.putOrder(name, "{y: two}")
		f.awaitCopy("changed", name, "{y: two}")
		f.shop.Remove(remote, "Order", name)
		f.awaitGone(name)
	}
}

// plain copies Plains, which have a status subresource at the destination and none at the source.
const plain = `
apiVersion: waybill.dev/v1alpha1
kind: PublishedResource
metadata: {name: plains}
spec:
  resource: {apiGroup: apps.provider.example, kind: Plain}
  naming: {name: 'p-{{ .Object.metadata.name }}'}
`

// TestNoStatus has a type without a status subresource at the source, and objects without namespaces.
func TestNoStatus(t *testing.T) {
	f := newFixture(t)
	f.home.Put(plain)
	f.shop.Put("{apiVersion: apps.provider.example/v1, kind: Plain, metadata: {name: x}, spec: {a: 1}, status: {theirs: 1}}")
	f.start()
	f.eventually("a copy", func() string { return diff("map[a:1]", f.home.at("apps.provider.example/v1", "Plain", "p-x", "spec")) })
	f.home.EditStatus("apps.provider.example/v1", "Plain", "p-x", `{"status":{"ours":1}}`)
	f.shop.Edit("apps.provider.example/v1", "Plain", "x", `{"spec":{"a":2}}`)
	f.eventually("a change of the consumer is copied", func() string { return diff("map[a:2]", f.home.at("apps.provider.example/v1", "Plain", "p-x", "spec")) })
	f.awaitReady("plains", "True Syncing")
	if got := f.shop.at("apps.provider.example/v1", "Plain", "x", "status"); got != "map[theirs:1]" {
		t.Errorf("its status became %s", got)
	}
	f.shop.Remove("apps.provider.example/v1", "Plain", "x")
	f.eventually("it is deleted", func() string {
		return diff("gone gone", strings.Join([]string{f.shop.at("apps.provider.example/v1", "Plain", "x"), f.home.at("apps.provider.example/v1", "Plain", "p-x")}, " "))
	})
}

// TestNarrow has a destination whose type lacks a field of the source: the PublishedResource fails, and the controller does
// not write all the time.
func TestNarrow(t *testing.T) {
	f := newFixture(t)
	f.home.Put(strings.ReplaceAll(plain, "kind: Plain}", "kind: Plain}\n  driftPolicy: Correct"))
	f.shop.Put("{apiVersion: apps.provider.example/v1, kind: Plain, metadata: {name: x}, spec: {a: 1}, more: {b: 1}}")
	f.start()
	f.eventually("a copy, without the field", func() string { return diff("map[a:1]", f.home.at("apps.provider.example/v1", "Plain", "p-x", "spec")) })
	f.awaitReady("plains", "False Failing")
	before := clustertest.Metrics(t)["waybill_sync_operations_total update plains done"]
	time.Sleep(500 * time.Millisecond)
	if n := clustertest.Metrics(t)["waybill_sync_operations_total update plains done"] - before; n > 10 {
		t.Errorf("it was written %v times", n)
	}
	f.shop.Remove("apps.provider.example/v1", "Plain", "x")
	f.eventually("it is deleted nevertheless", func() string { return diff("gone", f.home.at("apps.provider.example/v1", "Plain", "p-x")) })
}
