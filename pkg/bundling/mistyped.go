package bundling

import (
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
)

// noteStrategies warns of kinds in option updateStrategies that are probably mistyped. One that no object has now is
// none of these as long as it is a known kind, or of a group of which nothing is known.
func (b *bundler) noteStrategies(shipments []shipment) {
	ships := map[kindName]bool{}
	for _, s := range shipments {
		for _, p := range s.parcels {
			ships[kindName{p.object.Group(), p.object.Kind()}] = true
			ships[kindName{p.source.Group(), p.source.Kind()}] = true
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(b.strategies), compareKinds) {
		if ships[k] || b.kinds.Lookup(k.group, k.kind).Known {
			continue
		}
		like := b.kinds.Like(k.kind)
		for other := range ships {
			if strings.EqualFold(other.kind, k.kind) && !slices.Contains(like, other.String()) {
				like = append(like, other.String())
			}
		}
		slices.Sort(like)
		hint := "want the kind and its group, as in Job.batch"
		if len(like) > 0 {
			hint = "did you mean " + strings.Join(like, " or ") + "?"
		} else if !b.kinds.KnowsGroup(k.group) {
			continue
		}
		b.report(sdk.Warning, nil, nil, "option updateStrategies: no object has kind %q, and no such kind is known; %s", k, hint)
	}
}
