package bundling

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// reportNoBindings refuses to delete every work because there is no Binding: their folder may be left out of the render. So it
// does for works of a Binding that people wrote and that comes to name nothing; those of bind-resolve were judged there. A
// work for a cluster that is not in the inventory belongs to the fleet of the blueprint that the package was cloned from.
func (b *bundler) reportNoBindings(items []*krm.Object) {
	if b.opts.AllowEmptySelection {
		return
	}
	works, total := b.worksHere(items), 0
	isBinding := func(o *krm.Object) bool { return o.Is(control.Group, control.KindBinding) }
	for _, n := range works {
		total += n
	}
	if total > 0 && !slices.ContainsFunc(items, isBinding) {
		b.report(sdk.Error, nil, nil, "there is no Binding, but %s of an earlier run would be deleted, and everything they ship; "+
			"restore the Bindings, or set option allowEmptySelection: \"true\" if this is intended",
			selection.Count(total, "ManifestWork"))
	}
	for _, o := range items {
		if n := works[o.Name()]; n > 0 && isBinding(o) && o.Annotation(fn.GeneratedBy) == "" && namesNothing(o) {
			b.report(sdk.Error, o, nil, "the Binding names no destination, or no object, but %s of an earlier run would be deleted, "+
				"and everything they ship; correct it, or set option allowEmptySelection: \"true\" if this is intended",
				selection.Count(n, "ManifestWork"))
		}
	}
}

// worksHere counts the works of an earlier run for clusters of the inventory, by Binding.
func (b *bundler) worksHere(items []*krm.Object) map[string]int {
	works := map[string]int{}
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) != name {
			continue
		}
		if _, here := b.inventory.Get(o.Namespace()); here {
			works[o.Labels()[BindingLabel]]++
		}
	}
	return works
}

// namesNothing reports whether a Binding ships nothing, or to no cluster.
func namesNothing(o *krm.Object) bool {
	has := func(path ...string) bool { return len(listed(o.Lookup(append([]string{"spec"}, path...)...))) > 0 }
	return !has("destinations") || !has("workload", "clusterScope") && !has("workload", "namespaceScope")
}
