package guard

import (
	"cmp"
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Emptied refuses to delete the works of an earlier run if there is no Binding: its folder may be missing from the render. It also
// refuses to delete the works of a Binding that a user wrote and that names nothing now; bind-resolve checks those that it
// generates. Of the works in a cloned package only those for clusters of the inventory count: the others belong to the blueprint.
func Emptied(items []*krm.Object, inventory *workload.Inventory) (results sdk.Results) {
	fail := func(o *krm.Object, format string, args ...any) {
		results = append(results, fn.NewResult(sdk.Error, o, nil, format, args...))
	}
	works, total := worksHere(items, inventory)
	if total > 0 && !slices.ContainsFunc(items, isBinding) {
		fail(nil, "there is no Binding, but %s of an earlier run would be deleted, and everything they ship; restore the Bindings, or %s",
			selection.Count(total, "ManifestWork"), selection.SetOption)
	}
	abandoned, first := abandonedOf(works, items)
	for _, o := range items {
		if !isBinding(o) || o.Annotation(fn.GeneratedBy) != "" {
			continue
		}
		switch own := works[o.Name()]; {
		case len(own) == 0 && len(abandoned) > 0 && namesNothing(o, inventory, abandoned):
			fail(o, "the Binding names no object, or no destination in the inventory, and the Binding of "+
				"%s of an earlier run is gone (%q), of which this may be the new name: they would be deleted, and everything they ship; "+
				"correct it, or %s", selection.Count(len(abandoned), "ManifestWork"), first, selection.SetOption)
		case len(own) > 0 && namesNothing(o, inventory, own):
			fail(o, "the Binding names no object, or no destination in the inventory, "+
				"but %s of an earlier run would be deleted, and everything they ship; correct it, or %s",
				selection.Count(len(own), "ManifestWork"), selection.SetOption)
		}
	}
	return results
}

func isBinding(o *krm.Object) bool { return o.Is(control.Group, control.KindBinding) }

// abandonedOf are the works whose Binding is gone, and the first of these Bindings. Works that are handed over to others do
// not count: they outlive their Bindings.
func abandonedOf(works map[string][]*krm.Object, items []*krm.Object) (abandoned []*krm.Object, first string) {
	gone := maps.Clone(works)
	for _, o := range items {
		if isBinding(o) {
			delete(gone, o.Name())
		}
	}
	for _, binding := range slices.Sorted(maps.Keys(gone)) {
		for _, o := range gone[binding] {
			if !o.HasAnnotation(fn.HandOver) {
				abandoned, first = append(abandoned, o), cmp.Or(first, binding)
			}
		}
	}
	return abandoned, first
}

// worksHere are the works of an earlier run, by Binding, without those of a clone for clusters that are not in the inventory.
func worksHere(items []*krm.Object, inventory *workload.Inventory) (works map[string][]*krm.Object, total int) {
	works = map[string][]*krm.Object{}
	origins := fn.OriginsIn(items)
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) != naming.Function {
			continue
		}
		if _, here := inventory.Get(o.Namespace()); here || origins.Here(o) {
			binding := o.String("metadata", "labels", control.OriginBindingLabel)
			works[binding] = append(works[binding], o)
			total++
		}
	}
	return works, total
}

// namesNothing reports whether a Binding ships nothing, or to no cluster that is in the inventory or has one of those works.
func namesNothing(o *krm.Object, inventory *workload.Inventory, works []*krm.Object) bool {
	list := func(path ...string) []*yaml.Node { return manifest.Items(krm.Lookup(o.Lookup("spec"), path...)) }
	known := slices.ContainsFunc(list("destinations"), func(n *yaml.Node) bool {
		id := krm.Lookup(n, "clusterId")
		if id == nil {
			return false
		}
		_, here := inventory.Get(id.Value)
		return here || slices.ContainsFunc(works, func(w *krm.Object) bool { return w.Namespace() == id.Value })
	})
	return !known || len(list("workload", "clusterScope"))+len(list("workload", "namespaceScope")) == 0
}

// Unreadable refuses works of an earlier run that do not say what they hold, for example after an edit by hand. Only they tell which work
// holds which object: an object that is missing there would move, or be deleted without a hand-over.
func Unreadable(earlier []*previous.Work) (results sdk.Results) {
	for _, e := range earlier {
		if e.Unreadable {
			results = append(results, fn.NewResult(sdk.Error, e.Object, field.NewPath("spec", "workload", "manifests"),
				"an earlier run wrote objects "+
					"here, and not all of them have an apiVersion, a kind and a name now: restore the work from Git, or delete its file to place all "+
					"of its objects again"))
		}
	}
	return results
}
