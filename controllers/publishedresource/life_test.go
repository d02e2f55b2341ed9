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
	f := newFixture(t)
	f.putOrder("o", "{size: small, count: 9007199254740993}")
	f.home.Put(orders)
	f.start()
	c := f.awaitCopy("a copy is made", "o", "{size: small, count: 9007199254740993}")
	if want := f.workspace; c.GetNamespace() != want {
		t.Errorf("it is in the namespace %q, want %q", c.GetNamespace(), want)
	}
	if got := c.GetLabels()["waybill.dev/remote-object-cluster"]; got != f.workspace {
		t.Errorf("it is labelled with the cluster %q", got)
	}
	f.awaitReady("orders", "True Syncing")
	if got := f.shop.get(remote, "Order", "o").GetFinalizers(); !slices.Contains(got, finalizer) {
		t.Errorf("the Order has the finalizers %q", got)
	}
	f.home.Edit(local, "ShopOrder", c.GetName(), `{"spec":{"zone":"a"},"metadata":{"labels":{"theirs":"x"}}}`)
	f.putOrder("o", "{size: large, count: 9007199254740994}")
	c = f.awaitCopy("a change arrives, and what others wrote stays", "o", "{size: large, count: 9007199254740994, zone: a}")
	if c.GetLabels()["theirs"] != "x" {
		t.Error("a label of others is gone")
	}
	f.putOrder("o", "{count: 9007199254740994}")
	f.awaitCopy("a field goes", "o", "{count: 9007199254740994, zone: a}")
	f.home.EditStatus(local, "ShopOrder", c.GetName(), `{"status":{"phase":"Done","seen":9007199254740993}}`)
	f.eventually("its status comes back", func() string {
		return diff("map[phase:Done seen:9007199254740993]", f.shop.at(remote, "Order", "o", "status"))
	})
	f.home.Remove(local, "ShopOrder", c.GetName())
	f.awaitCopy("a copy that somebody deletes is made anew", "o", "{count: 9007199254740994}")
	f.eventually("and so is its status", func() string { return diff("<nil>", f.shop.at(remote, "Order", "o", "status")) })
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.eventually("the consumer is told", func() string {
		told := f.eventsOf("o")
		for _, reason := range []string{"ObjectAccepted", "ObjectPlaced", "ObjectSynced", "ObjectStatusSynced", "ObjectCleanup", "ObjectDeleted"} {
			if told[reason] == "" {
				return "not of " + reason
			}
		}
		return strings.TrimSpace(told["ReconcilingError"])
	})
	f.awaitReady("orders", "True Syncing")
}
