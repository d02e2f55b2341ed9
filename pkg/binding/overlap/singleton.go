package overlap

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// reportSingletons warns every policy that selects an object of which some policy wants the one status, if the policies that
// want it do not send it to exactly one cluster.
func (f *finder) reportSingletons() {
	counts := f.singletonCounts()
	for _, p := range f.policies {
		var examples []control.WrongCount
		for _, e := range p.Picks {
			if n, wanted := counts[e.Index]; wanted && n != 1 && len(examples) < control.MaxWrongCounts {
				gvk := schema.GroupVersionKind{Group: e.Group, Version: e.Version, Kind: e.Object.Kind()}
				examples = append(examples, control.NewWrongCount(gvk, e.Resource, e.Namespace, e.Name, n))
			}
		}
		if len(examples) == 0 {
			continue
		}
		f.report(sdk.Warning, p.Object, field.NewPath("spec", "downsync"), "%s", control.SingletonError(examples))
	}
}

// singletonCounts is, for every object of which some policy wants the one status, the number of
// clusters to which these policies send it.
func (f *finder) singletonCounts() map[int]int {
	wanted := map[int]bitset{}
	for i, p := range f.policies {
		for _, e := range p.Picks {
			if !e.Modulation.WantSingletonReportedState {
				continue
			}
			if old, twice := wanted[e.Index]; twice {
				wanted[e.Index] = old.union(f.selected[i].clusters)
			} else {
				wanted[e.Index] = f.selected[i].clusters
			}
		}
	}
	counts := make(map[int]int, len(wanted))
	for index, clusters := range wanted {
		counts[index] = clusters.common(clusters).n
	}
	return counts
}
