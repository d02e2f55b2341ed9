package bundling

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// reportNoBindings refuses to delete every work because there is no Binding: their folder may be left out of the render. A
// work for a cluster that is not in the inventory belongs to the fleet of the blueprint that the package was cloned from.
func (b *bundler) reportNoBindings(items []*krm.Object) {
	isBinding := func(o *krm.Object) bool { return o.Is(control.Group, control.KindBinding) }
	if b.opts.AllowEmptySelection || slices.ContainsFunc(items, isBinding) {
		return
	}
	works := 0
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) != name {
			continue
		}
		if _, here := b.inventory.Get(o.Namespace()); here {
			works++
		}
	}
	if works > 0 {
		b.report(sdk.Error, nil, nil, "there is no Binding, but %s of an earlier run would be deleted, and everything they ship; restore the Bindings, or set option allowEmptySelection: \"true\" if this is intended",
			selection.Count(works, "ManifestWork"))
	}
}
