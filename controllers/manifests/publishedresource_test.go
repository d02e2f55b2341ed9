package manifests_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// TestSyncRightsAreUsed has the controller keep an object in sync with the rights that the component grants, those that
// a workspace grants, and those of the types: nothing is refused to it, and it uses all that it has.
func TestSyncRightsAreUsed(t *testing.T) {
	w := with(t, "publishedresource")
	w.checkLastArgument("--sync-kubeconfig=/etc/waybill/sync/kubeconfig")
	shop := &installation{TB: t, Cluster: clustertest.Start(t), namespace: "consumer"}
	shop.kubectl("", "create", "namespace", shop.namespace)
	shop.kubectl("", "apply", "-k", "publishedresource/source")
	files := w.filesOf("testdata/syncing.txtar")
	here, there := w.liveSyncing(shop, files)
	all := roles(t)
	rules := func(file string) []rbacv1.PolicyRule {
		var types rbacv1.ClusterRole
		if err := yaml.UnmarshalStrict([]byte(files[file]), &types); err != nil {
			t.Fatal(err)
		}
		return types.Rules
	}
	want := granted(append(append(all["waybill-sync"], all["waybill-sync-state"]...), rules("types.yaml")...))
	maps.DeleteFunc(here, func(r right, _ bool) bool {
		return !want[r] && !strings.Contains(r.Resource, "publishedresources") && !strings.Contains(r.Resource, "provider.example")
	})
	if diff := cmp.Diff(want, here); diff != "" {
		t.Errorf("rights at the destination (-granted +used):\n%s", diff)
	}
	there[right{"patch", "/events"}] = true // an event that comes again is counted
	if diff := cmp.Diff(granted(append(all["waybill-sync-source"], rules("source.yaml")...)), there); diff != "" {
		t.Errorf("rights in the workspace (-granted +used):\n%s", diff)
	}
	questions := forbidden(w.namespace)
	delete(questions, "context unasked") // ConfigMaps are related here
	w.review(controller, questions)
	w.review(controller, map[string]question{
		"published": {"their spec is the user's", "update", "waybill.dev/publishedresources", "", "", false},
		"state":     {"it keeps what was last applied", "update", "/secrets", "waybill-sync", "a", true},
		"other":     {"and no other Secrets", "list", "/secrets", system, "", false},
		"statuses":  {"what copies say is theirs", "patch", "apps.provider.example/shoporders/status", w.namespace, "", false},
	})
	shop.review("system:serviceaccount:waybill-sync:waybill-sync", map[string]question{
		"secrets":    {"only types that are granted", "list", "/secrets", "", "", false},
		"orders":     {"what consumers ask for is theirs", "delete", "shop.example.org/orders", shop.namespace, "", false},
		"namespaces": {"namespaces are never deleted", "delete", "/namespaces", "", "", false},
	})
}

// liveSyncing runs a controller, as its ServiceAccounts, through the life of an Order. It returns the rights that the
// controller used on both sides.
func (w *installation) liveSyncing(shop *installation, files map[string]string) (here, there map[right]bool) {
	w.Helper()
	w.InstallCRDs(w, "../../testdata/crds/publishedresource/home")
	shop.InstallCRDs(w, "../../testdata/crds/publishedresource/shop")
	w.kubectl(files["types.yaml"], "apply", "-f", "-")
	w.aggregate("rbac.waybill.dev/aggregate-to-sync", "waybill-sync-types")
	shop.kubectl(files["source.yaml"], "apply", "-f", "-")
	shop.aggregate("rbac.waybill.dev/aggregate-to-sync-source", "waybill-sync-source-types")
	w.kubectl(files["published.yaml"], "apply", "-f", "-")
	log, far := &requests{used: map[right]bool{}}, &requests{used: map[right]bool{}}
	source := shop.ServiceAccount(w, "waybill-sync", "waybill-sync")
	source.Wrap(far.wrap)
	w.run(log, func(o *manager.Options) {
		o.PublishedResource = &publishedresource.Options{Workspaces: []publishedresource.Workspace{{Name: "shop", Config: source}}, MinInterval: 20 * time.Millisecond, FirstRetry: 50 * time.Millisecond, LastRetry: time.Second}
	})
	shop.kubectl(files["order.yaml"], "apply", "-n", shop.namespace, "-f", "-")
	get := func(on *installation, namespace, what, path string) func() string {
		return func() string {
			return on.kubectl("", "get", what, "-n", namespace, "--ignore-not-found", "-o", "jsonpath="+path)
		}
	}
	w.eventually("a copy is made", "small", get(w, "shop", "shoporder/o", "{.spec.size}"))
	w.eventually("with what is related", "one", get(w, "shop", "configmap/w", "{.data.x}"))
	w.kubectl("", "create", "configmap", "note", "-n", "shop", "--from-literal=y=two")
	w.eventually("in both directions", "two", get(shop, "made", "configmap/note", "{.data.y}"))
	shop.kubectl("", "patch", "order", "o", "-n", shop.namespace, "--type=merge", "-p", `{"spec":{"size":"large"}}`)
	shop.kubectl("", "patch", "configmap", "w", "-n", shop.namespace, "--type=merge", "-p", `{"data":{"x":"three"}}`)
	w.kubectl("", "patch", "configmap", "note", "-n", "shop", "--type=merge", "-p", `{"data":{"y":"four"}}`)
	w.kubectl("", "patch", "shoporder", "o", "-n", "shop", "--subresource=status", "--type=merge", "-p", `{"status":{"phase":"Done"}}`)
	w.eventually("it changes", "large", get(w, "shop", "shoporder/o", "{.spec.size}"))
	w.eventually("so does what is related", "three", get(w, "shop", "configmap/w", "{.data.x}"))
	w.eventually("in both directions", "four", get(shop, "made", "configmap/note", "{.data.y}"))
	w.eventually("the status comes back", "Done", get(shop, shop.namespace, "order/o", "{.status.phase}"))
	shop.kubectl("", "delete", "order", "o", "-n", shop.namespace)
	w.eventually("and goes with the order", "", get(w, "shop", "configmap/w", "{.data.x}"))
	w.eventually("with all of it", "", get(shop, "made", "configmap/note", "{.data.y}"))
	w.eventually("and is free", "", get(shop, shop.namespace, "configmap/w", "{.metadata.finalizers}"))
	w.kubectl("", "delete", "publishedresource", "orders")
	for _, r := range []*requests{log, far} {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.refused) > 0 {
			w.Errorf("the controller lacks rights: %q", r.refused)
		}
	}
	return maps.Clone(log.used), maps.Clone(far.used)
}
