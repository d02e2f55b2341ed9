package bundling

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// noteStrategies warns of kinds in option updateStrategies that are probably mistyped. One that no object has now is
// none of these as long as it is a known kind, or of a group of which nothing is known.
func (b *bundler) noteStrategies(shipments []shipment) {
	ships := map[schema.GroupKind]bool{}
	for _, s := range shipments {
		for _, p := range s.parcels {
			for _, o := range []*krm.Object{p.object, p.source} {
				ships[schema.GroupKind{Group: o.Group(), Kind: o.Kind()}] = true
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(b.strategies), compareKinds) {
		if ships[k] || b.kinds.Lookup(k.Group, k.Kind).Known {
			continue
		}
		like := b.kinds.Like(k.Kind)
		for other := range ships {
			if strings.EqualFold(other.Kind, k.Kind) && !slices.Contains(like, other.String()) {
				like = append(like, other.String())
			}
		}
		slices.Sort(like)
		hint := "want the kind and its group, as in Job.batch"
		if len(like) > 0 {
			hint = "did you mean " + strings.Join(like, " or ") + "?"
		} else if !b.kinds.KnowsGroup(k.Group) {
			continue
		}
		b.report(sdk.Warning, nil, nil, "option updateStrategies: no object has kind %q, and no such kind is known; %s", k, hint)
	}
}

func compareKinds(a, b schema.GroupKind) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Group, b.Group))
}
