// Package inventory stores a backend's inventory in an API server. Package pagestore decides which objects that takes.
//
// Shape: New connects a pagestore.Store to a client. Cost, errors: see package pagestore. Source: the same.
package inventory

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory/pagestore"
)

// New returns the inventory of a backend. The client must not read from a cache.
func New(client client.Client, name types.NamespacedName, backend string) *pagestore.Store {
	return pagestore.New(objects{client}, name, backend)
}

// objects implements pagestore.Objects.
type objects struct{ client client.Client }

func (o objects) Get(ctx context.Context, at types.NamespacedName) (*waybill.BackendInventory, error) {
	found := &waybill.BackendInventory{}
	return found, o.client.Get(ctx, at, found)
}

func (o objects) List(ctx context.Context, namespace, label, value string) (all []waybill.BackendInventory, err error) {
	const limit = 100 // objects in one answer
	for next := ""; ; {
		page := &waybill.BackendInventoryList{}
		if err := o.client.List(ctx, page, client.InNamespace(namespace), client.MatchingLabels{label: value}, client.Limit(limit),
			client.Continue(next)); err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if next = page.Continue; next == "" {
			return all, nil
		}
	}
}

func (o objects) Create(ctx context.Context, i *waybill.BackendInventory) error {
	return o.client.Create(ctx, i)
}

func (o objects) Update(ctx context.Context, i *waybill.BackendInventory) error {
	return o.client.Update(ctx, i)
}

func (o objects) Delete(ctx context.Context, i *waybill.BackendInventory) error {
	return o.client.Delete(ctx, i, client.Preconditions{UID: &i.UID, ResourceVersion: &i.ResourceVersion})
}
