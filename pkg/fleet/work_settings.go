package fleet

import (
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
)

// onlyFollowsObjects reports whether the settings of a work change only for objects that come or go, and in how the agent
// applies all objects.
func (c *Comparison) onlyFollowsObjects(ch *Change) bool {
	for _, f := range ch.pair.fields {
		if !strings.HasPrefix(f.Field, "spec.") {
			continue
		}
		name, ok := manifestwork.ConfigOf(f.Field)
		_, object, named := strings.Cut(name, " ")
		_, applied := ch.pair.strategyChanges[name]
		about := func(id krm.ID) bool { return id.Namespace+"/"+id.Name == object }
		if !ok || !named || !applied && !c.addsOrDropsObject(ch.Cluster(), about) {
			return false
		}
	}
	return true
}

// addsOrDropsObject reports whether a work of a cluster adds or drops such an object.
func (c *Comparison) addsOrDropsObject(cluster string, such func(krm.ID) bool) bool {
	first, _ := slices.BinarySearchFunc(c.Changes, cluster, func(ch Change, name string) int { return strings.Compare(ch.Cluster(), name) })
	for i := first; i < len(c.Changes) && c.Changes[i].Cluster() == cluster; i++ {
		ch := &c.Changes[i]
		if (ch.Before == nil || ch.After == nil || ch.movesWork()) && !ch.latest().Itself && such(ch.ID) {
			return true
		}
	}
	return false
}

// strategyField stands for the update strategy of all objects of a work.
const strategyField = "spec.manifestConfigs[*].updateStrategy.type"

// setStrategies finds the works that now apply their objects in another way.
func (c *Comparison) setStrategies() {
	for i := range c.Changes {
		if ch := &c.Changes[i]; len(ch.pair.strategyChanges) > 0 {
			ch.strategies = c.strategiesOf(ch)
		}
	}
}

// strategiesOf are the changes of strategy, without those of configs that come or go together with their objects.
func (c *Comparison) strategiesOf(ch *Change) (out []waybill.PreviewField) {
	seen := map[manifestwork.StrategyChange]bool{}
	for _, name := range slices.Sorted(maps.Keys(ch.pair.strategyChanges)) {
		change := ch.pair.strategyChanges[name]
		about := manifestwork.KindOf(name)
		if seen[change] || change.From == change.To || c.addsOrDropsObject(ch.Cluster(), func(id krm.ID) bool { return about.MatchesKind(id) }) {
			continue
		}
		seen[change] = true
		out = append(out, waybill.PreviewField{Field: strategyField, Change: string(diff.Changed), From: &change.From, To: &change.To})
	}
	return out
}

// onlyChangesStrategy reports whether a work differs only in how the agent applies its objects.
func (c *Change) onlyChangesStrategy() bool {
	return len(c.strategies) > 0 && !slices.ContainsFunc(c.pair.fields, func(f diff.Change) bool {
		config, ok := manifestwork.ConfigOf(f.Field)
		_, known := c.pair.strategyChanges[config]
		return !ok || !known
	})
}
