package workload

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// The kinds that an inventory is read from.
var (
	InventoryKind      = schema.GroupKind{Group: fn.ConfigGroup, Kind: "Inventory"}
	ManagedClusterKind = schema.GroupKind{Group: "cluster.open-cluster-management.io", Kind: "ManagedCluster"}
)

// Misspelt reports items whose group and kind are nearly those of an inventory, or of another kind that a function reads.
// Such an item counts as not there, and what an earlier render made of it would be deleted.
func Misspelt(items []*krm.Object, others ...schema.GroupKind) (out sdk.Results) {
	read := append([]schema.GroupKind{InventoryKind, ManagedClusterKind}, others...)
	meant := map[schema.GroupKind]*schema.GroupKind{}
	for _, o := range items {
		is := schema.GroupKind{Group: o.Group(), Kind: o.Kind()}
		if _, seen := meant[is]; !seen {
			meant[is] = nearly(is, read)
		}
		if want := meant[is]; want != nil {
			out = append(out, fn.NewResult(sdk.Error, o, nil, "nothing reads kind %s of group %q: is it to be %s of group %q?", is.Kind, is.Group,
				want.Kind, want.Group))
		}
	}
	return out
}

func nearly(is schema.GroupKind, read []schema.GroupKind) *schema.GroupKind {
	for i, want := range read {
		if selection.Misspelt(is.String(), want.String()) {
			return &read[i]
		}
	}
	return nil
}
