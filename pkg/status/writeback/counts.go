package writeback

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// PolicyError is an error for the status of a policy.
type PolicyError struct{ Policy, Text string }

// Errors returns, by policy, what is wrong with the number of clusters. If any policy requests the singleton status of an
// object, and not exactly one cluster has the object, counted over the policies that request it, every policy that selects
// the object gets the error. Examples are the first in the order of the Binding.
func (w *Wants) Errors() (errs []PolicyError) {
	for _, s := range w.selections {
		var examples []control.WrongCount
		for _, o := range s.Objects {
			want := w.objects[o.Object]
			if n := len(want.SingletonClusters); want.Singleton && n != 1 && len(examples) < control.MaxWrongCounts {
				id := o.Object
				gvk := schema.GroupVersionKind{Group: id.Group, Version: id.Version, Kind: id.Kind}
				examples = append(examples, control.NewWrongCount(gvk, id.Resource, id.Namespace, id.Name, n))
			}
		}
		if len(examples) > 0 {
			errs = append(errs, PolicyError{s.Policy, control.SingletonError(examples)})
		}
	}
	slices.SortFunc(errs, func(a, b PolicyError) int {
		return cmp.Or(cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.Text, b.Text))
	})
	return errs
}
