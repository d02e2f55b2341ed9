package publishedresource_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// TestTwoWorkspaces has two servers with an Order of one name, as two contexts of one kubeconfig, and one of them die.
func TestTwoWorkspaces(t *testing.T) {
	w := newWorld(t)
	c := clustertest.Start(t)
	c.InstallCRDs(t, "../../testdata/crds/publishedresource/shop")
	other := *w
	other.workspace = w.workspace + "-other"
	other.shop = newPlace(t, c, w.shop.namespace)
	other.shop.ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	file := t.TempDir() + "/kubeconfig"
	config := api.NewConfig()
	for name, p := range map[string]*place{w.workspace: w.shop, other.workspace: other.shop} {
		admin := p.Admin()
		config.Clusters[name] = &api.Cluster{Server: admin.Host, CertificateAuthorityData: admin.CAData}
		config.AuthInfos[name] = &api.AuthInfo{ClientCertificateData: admin.CertData, ClientKeyData: admin.KeyData}
		config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	}
	w.must(clientcmd.WriteToFile(*config, file))
	both, err := publishedresource.Workspaces(file, nil)
	w.must(err)
	w.home.put(orders)
	w.order("o", "{of: one}")
	other.order("o", "{of: other}")
	w.start(func(o *publishedresource.Options) { o.Workspaces = both })
	one := w.becomes("one", "o", "{of: one}")
	two := other.becomes("and the other", "o", "{of: other}")
	if one.GetNamespace() == two.GetNamespace() {
		t.Errorf("both are in the namespace %s", one.GetNamespace())
	}
	w.awaitReady("orders", "True Syncing")
	c.StopAPIServer(t)
	w.awaitReady("orders", "False Unavailable orders of shop.example.org/v1 in the workspace "+other.workspace)
	w.order("o", "{of: one, more: x}")
	w.becomes("one goes on without the other", "o", "{of: one, more: x}")
	if other.copyOf("o") == nil {
		t.Error("nobody knows, and its copy is gone")
	}
	c.StartAPIServer(t)
	other.order("o", "{of: other, more: y}")
	other.becomes("it is back", "o", "{of: other, more: y}")
	other.shop.remove(remote, "Order", "o")
	other.isGone("o")
	w.becomes("and the other stays", "o", "{of: one, more: x}")
	w.awaitReady("orders", "True Syncing")
}

// TestServersGoAway has either API server die and come back.
func TestServersGoAway(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders)
	w.order("o", "{a: one}")
	w.start()
	w.becomes("at first", "o", "{a: one}")
	w.home.StopAPIServer(t)
	w.order("o", "{a: two}")
	w.order("p", "{a: two}")
	w.home.StartAPIServer(t)
	w.becomes("the destination is back", "o", "{a: two}")
	w.becomes("for all", "p", "{a: two}")
	w.shop.StopAPIServer(t)
	c := w.copyOf("o")
	w.home.status(local, "ShopOrder", c.GetName(), `{"status":{"a":1}}`)
	w.shop.StartAPIServer(t)
	w.eventually("the source is back", func() string { return same("map[a:1]", w.shop.at(remote, "Order", "o", "status")) })
	w.shop.remove(remote, "Order", "o")
	w.isGone("o")
	w.awaitReady("orders", "True Syncing")
}

// TestTwoAtOnce has two controllers that both believe to lead.
func TestTwoAtOnce(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders)
	w.start()
	w.start()
	for _, name := range []string{"a", "b", "c"} {
		w.order(name, "{x: one}")
	}
	for _, name := range []string{"a", "b", "c"} {
		w.becomes("made", name, "{x: one}")
		w.order(name, "{y: two}")
		w.becomes("changed", name, "{y: two}")
		w.shop.remove(remote, "Order", name)
		w.isGone(name)
	}
}

// plain has Plains of the destination, with a status of their own, go along with Plains of the source, without.
const plain = `
apiVersion: waybill.dev/v1alpha1
kind: PublishedResource
metadata: {name: plains}
spec:
  resource: {apiGroup: apps.provider.example, kind: Plain}
  naming: {name: 'p-{{ .Object.metadata.name }}'}
`

// TestNoStatus has a type without a status of its own at the source, and objects without namespaces.
func TestNoStatus(t *testing.T) {
	w := newWorld(t)
	w.home.put(plain)
	w.shop.put("{apiVersion: apps.provider.example/v1, kind: Plain, metadata: {name: x}, spec: {a: 1}, status: {theirs: 1}}")
	w.start()
	w.eventually("a copy", func() string { return same("map[a:1]", w.home.at("apps.provider.example/v1", "Plain", "p-x", "spec")) })
	w.home.status("apps.provider.example/v1", "Plain", "p-x", `{"status":{"ours":1}}`)
	w.shop.edit("apps.provider.example/v1", "Plain", "x", `{"spec":{"a":2}}`)
	w.eventually("which changes", func() string { return same("map[a:2]", w.home.at("apps.provider.example/v1", "Plain", "p-x", "spec")) })
	w.awaitReady("plains", "True Syncing")
	if got := w.shop.at("apps.provider.example/v1", "Plain", "x", "status"); got != "map[theirs:1]" {
		t.Errorf("its status became %s", got)
	}
	w.shop.remove("apps.provider.example/v1", "Plain", "x")
	w.eventually("it goes", func() string {
		return same("gone gone", strings.Join([]string{w.shop.at("apps.provider.example/v1", "Plain", "x"), w.home.at("apps.provider.example/v1", "Plain", "p-x")}, " "))
	})
}

// TestNarrow has a destination whose type has no room for a field that the source has: it is told, and nothing goes
// round in circles.
func TestNarrow(t *testing.T) {
	w := newWorld(t)
	w.home.put(strings.ReplaceAll(plain, "kind: Plain}", "kind: Plain}\n  driftPolicy: Correct"))
	w.shop.put("{apiVersion: apps.provider.example/v1, kind: Plain, metadata: {name: x}, spec: {a: 1}, more: {b: 1}}")
	w.start()
	w.eventually("a copy, with what has room", func() string { return same("map[a:1]", w.home.at("apps.provider.example/v1", "Plain", "p-x", "spec")) })
	w.awaitReady("plains", "False Failing")
	before := clustertest.Metrics(t)["waybill_sync_operations_total update plains done"]
	time.Sleep(500 * time.Millisecond)
	if n := clustertest.Metrics(t)["waybill_sync_operations_total update plains done"] - before; n > 10 {
		t.Errorf("it was written %v times", n)
	}
	w.shop.remove("apps.provider.example/v1", "Plain", "x")
	w.eventually("it goes nevertheless", func() string { return same("gone", w.home.at("apps.provider.example/v1", "Plain", "p-x")) })
}
