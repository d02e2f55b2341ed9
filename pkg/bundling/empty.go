package bundling

import (
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// reportNoBindings refuses to delete every work because there is no Binding: their folder may be left out of the render. So it
// does for works of a Binding that people wrote and that comes to name nothing; those of bind-resolve were judged there. Of the
// works that a clone came with, those for clusters that are not in the inventory belong to the fleet of the blueprint.
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
		b.report(sdk.Error, nil, nil, "there is no Binding, but %s of an earlier run would be deleted, "+
			"and everything they ship; restore the Bindings, or %s",
			selection.Count(total, "ManifestWork"), selection.SetOption)
	}
	abandoned, first := b.abandoned(items)
	for _, o := range items {
		if !isBinding(o) || o.Annotation(fn.GeneratedBy) != "" || !b.namesNothing(o) {
			continue
		}
		switch n := works[o.Name()]; {
		case n == 0 && abandoned > 0:
			b.report(sdk.Error, o, nil, "the Binding names no destination, none of the inventory, or no object, and no Binding stands for "+
				"%s of an earlier run any more (of %q), of which this may be the new name: they would be deleted, and everything they ship; "+
				"correct it, or %s", selection.Count(abandoned, "ManifestWork"), first, selection.SetOption)
		case n > 0:
			b.report(sdk.Error, o, nil, "the Binding names no destination, none of the inventory, or no object, "+
				"but %s of an earlier run would be deleted, and everything they ship; correct it, or %s",
				selection.Count(n, "ManifestWork"), selection.SetOption)
		}
	}
}

// abandoned counts the works whose Binding is gone, and names the first of these Bindings. Works that are handed over to others
// do not count: they outlive their Bindings.
func (b *bundler) abandoned(items []*krm.Object) (works int, first string) {
	counts := b.worksHere(slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool { return o.HasAnnotation(fn.HandOver) }))
	for _, o := range items {
		if o.Is(control.Group, control.KindBinding) {
			delete(counts, o.Name())
		}
	}
	for _, n := range counts {
		works += n
	}
	if works == 0 {
		return 0, ""
	}
	return works, slices.Min(slices.Collect(maps.Keys(counts)))
}

// worksHere counts the works of an earlier run by Binding; of those that a clone came with, the ones for clusters of the inventory.
func (b *bundler) worksHere(items []*krm.Object) map[string]int {
	works, origins := map[string]int{}, fn.OriginsIn(items)
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) != name {
			continue
		}
		if _, here := b.inventory.Get(o.Namespace()); here || origins.Here(o) {
			works[o.Labels()[BindingLabel]]++
		}
	}
	return works
}

// namesNothing reports whether a Binding ships nothing, or to no cluster of the inventory.
func (b *bundler) namesNothing(o *krm.Object) bool {
	list := func(path ...string) []*yaml.Node { return listed(o.Lookup(append([]string{"spec"}, path...)...)) }
	known := slices.ContainsFunc(list("destinations"), func(n *yaml.Node) bool {
		id := krm.Lookup(n, "clusterId")
		if id == nil {
			return false
		}
		_, here := b.inventory.Get(id.Value)
		return here
	})
	return !known || len(list("workload", "clusterScope"))+len(list("workload", "namespaceScope")) == 0
}
