package fleet

import (
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
)

// follows reports whether a work is handled differently only in that configs and rules come and go with the objects that
// they are about, and in how all objects are applied.
func (c *Comparison) follows(ch *Change) bool {
	for _, f := range ch.pair.fields {
		if !strings.HasPrefix(f.Field, "spec.") {
			continue
		}
		name, ok := manifestwork.ConfigOf(f.Field)
		_, object, named := strings.Cut(name, " ")
		_, applied := ch.pair.restrategized[name]
		about := func(id krm.ID) bool { return id.Namespace+"/"+id.Name == object }
		if !ok || !named || !applied && !c.comesOrGoes(ch.Cluster(), about) {
			return false
		}
	}
	return true
}

// comesOrGoes reports whether a work of a cluster begins to hold such an object, or lets go of one.
func (c *Comparison) comesOrGoes(cluster string, such func(krm.ID) bool) bool {
	first, _ := slices.BinarySearchFunc(c.Changes, cluster, func(ch Change, name string) int { return strings.Compare(ch.Cluster(), name) })
	for i := first; i < len(c.Changes) && c.Changes[i].Cluster() == cluster; i++ {
		ch := &c.Changes[i]
		if (ch.Before == nil || ch.After == nil || ch.movesWork()) && !ch.there().Itself && such(ch.ID) {
			return true
		}
	}
	return false
}

// strategyField stands for the update strategy of all objects of a work.
const strategyField = "spec.manifestConfigs[*].updateStrategy.type"

// setStrategies finds the works that apply objects in another way which they held before.
func (c *Comparison) setStrategies() {
	for i := range c.Changes {
		if ch := &c.Changes[i]; len(ch.pair.restrategized) > 0 {
			ch.strategies = c.strategiesOf(ch)
		}
	}
}

// strategiesOf are the changes of strategy but those of configs that come and go with all the objects they are about.
func (c *Comparison) strategiesOf(ch *Change) (out []waybill.PreviewField) {
	seen := map[manifestwork.StrategyChange]bool{}
	for _, name := range slices.Sorted(maps.Keys(ch.pair.restrategized)) {
		change := ch.pair.restrategized[name]
		about := manifestwork.KindOf(name)
		if seen[change] || change.From == change.To || c.comesOrGoes(ch.Cluster(), func(id krm.ID) bool { return about.MatchesKind(id) }) {
			continue
		}
		seen[change] = true
		out = append(out, waybill.PreviewField{Field: strategyField, Change: string(merge.Changed), From: &change.From, To: &change.To})
	}
	return out
}

// restrategizes reports whether all that is another about a work is how the agent applies objects.
func (c *Change) restrategizes() bool {
	return len(c.strategies) > 0 && !slices.ContainsFunc(c.pair.fields, func(f merge.Change) bool {
		config, ok := manifestwork.ConfigOf(f.Field)
		_, known := c.pair.restrategized[config]
		return !ok || !known
	})
}
