package publishedresource_test

import (
	"slices"
	"strings"
	"testing"
)

// orders copies Orders to ShopOrders.
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
	c := f.awaitCopy("a copy is created", "o", "{size: small, count: 9007199254740993}")
	if want := f.workspace; c.GetNamespace() != want {
		t.Errorf("the copy is in the namespace %q, want %q", c.GetNamespace(), want)
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
	c = f.awaitCopy("a change is copied, and fields of other clients stay", "o", "{size: large, count: 9007199254740994, zone: a}")
	if c.GetLabels()["theirs"] != "x" {
		t.Error("the label of another client was removed")
	}
	f.putOrder("o", "{count: 9007199254740994}")
	f.awaitCopy("a field is removed", "o", "{count: 9007199254740994, zone: a}")
	f.home.EditStatus(local, "ShopOrder", c.GetName(), `{"status":{"phase":"Done","seen":9007199254740993}}`)
	f.eventually("its status is copied back", func() string {
		return diff("map[phase:Done seen:9007199254740993]", f.shop.at(remote, "Order", "o", "status"))
	})
	f.home.Remove(local, "ShopOrder", c.GetName())
	f.awaitCopy("a copy that a user deletes is created again", "o", "{count: 9007199254740994}")
	f.eventually("its status is removed", func() string { return diff("<nil>", f.shop.at(remote, "Order", "o", "status")) })
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.eventually("the consumer has an event", func() string {
		told := f.eventsOf("o")
		for _, reason := range []string{"ObjectAccepted", "ObjectPlaced", "ObjectSynced", "ObjectStatusSynced", "ObjectCleanup", "ObjectDeleted"} {
			if told[reason] == "" {
				return "there is no event " + reason
			}
		}
		return strings.TrimSpace(told["ReconcilingError"])
	})
	f.awaitReady("orders", "True Syncing")
}
