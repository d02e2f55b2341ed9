package publishedresource_test

import (
	"slices"
	"strings"
	"testing"
)

// orders keeps ShopOrders of Orders.
const orders = `
apiVersion: waybill.dev/v1alpha1
kind: PublishedResource
metadata: {name: orders}
spec:
  resource: {apiGroup: apps.provider.example, kind: ShopOrder, versions: [v2]}
  projection: {group: shop.example.org, kind: Order, plural: orders, versions: {v2: v1}}
`

const finalizer = "waybill.dev/sync.orders"

func TestLife(t *testing.T) {
	w := newWorld(t)
	w.order("o", "{size: small, count: 9007199254740993}")
	w.home.put(orders)
	w.start()
	c := w.becomes("a copy is made", "o", "{size: small, count: 9007199254740993}")
	if want := w.workspace; c.GetNamespace() != want {
		t.Errorf("it is in the namespace %q, want %q", c.GetNamespace(), want)
	}
	if got := c.GetLabels()["waybill.dev/remote-object-cluster"]; got != w.workspace {
		t.Errorf("it is labelled with the cluster %q", got)
	}
	w.awaitReady("orders", "True Syncing")
	if got := w.shop.get(remote, "Order", "o").GetFinalizers(); !slices.Contains(got, finalizer) {
		t.Errorf("the Order has the finalizers %q", got)
	}
	w.home.edit(local, "ShopOrder", c.GetName(), `{"spec":{"zone":"a"},"metadata":{"labels":{"theirs":"x"}}}`)
	w.order("o", "{size: large, count: 9007199254740994}")
	c = w.becomes("a change arrives, and what others wrote stays", "o", "{size: large, count: 9007199254740994, zone: a}")
	if c.GetLabels()["theirs"] != "x" {
		t.Error("a label of others is gone")
	}
	w.order("o", "{count: 9007199254740994}")
	w.becomes("a field goes", "o", "{count: 9007199254740994, zone: a}")
	w.home.status(local, "ShopOrder", c.GetName(), `{"status":{"phase":"Done","seen":9007199254740993}}`)
	w.eventually("its status comes back", func() string {
		return same("map[phase:Done seen:9007199254740993]", w.shop.at(remote, "Order", "o", "status"))
	})
	w.home.remove(local, "ShopOrder", c.GetName())
	w.becomes("a copy that somebody deletes is made anew", "o", "{count: 9007199254740994}")
	w.eventually("and so is its status", func() string { return same("<nil>", w.shop.at(remote, "Order", "o", "status")) })
	w.shop.remove(remote, "Order", "o")
	w.isGone("o")
	w.eventually("the consumer is told", func() string {
		told := w.told("o")
		for _, reason := range []string{"ObjectAccepted", "ObjectPlaced", "ObjectSynced", "ObjectStatusSynced", "ObjectCleanup", "ObjectDeleted"} {
			if told[reason] == "" {
				return "not of " + reason
			}
		}
		return strings.TrimSpace(told["ReconcilingError"])
	})
	w.awaitReady("orders", "True Syncing")
}
