package fleet

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
)

// Change is one difference of one object in one cluster.
type Change struct {
	ID            krm.ID
	Before, After *Delivery // nil where there is none
	Outcome       Outcome   // "" where no work drops the object
	pair          *pair
	holders       []string               // works that hold the object after, sorted; for changes with an outcome
	strategies    []waybill.PreviewField // of a work that now applies its objects in another way
	deletion      deletionChange         // of a work itself
	watched       bool                   // the work that drops the object keeps a read-only entry for it
}

// Cluster is the name of the cluster.
func (c *Change) Cluster() string { return c.latest().Cluster }

// latest is the delivery after the change or, for an object that is removed, the one before.
func (c *Change) latest() *Delivery {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// Kind is added, removed, changed or, for the same object in another work, moved.
func (c *Change) Kind() diff.Kind {
	switch {
	case c.Before == nil:
		return diff.Added
	case c.After == nil && (c.Outcome == StillHeld || c.Outcome == HandedOver || c.Outcome == Recreated || c.Outcome == HandOverEnded):
		return diff.Moved
	case c.After == nil:
		return diff.Removed
	case len(c.pair.fields) == 0:
		return diff.Moved
	}
	return diff.Changed
}

// Comparison is every difference between two fleets.
type Comparison struct {
	Before, After *Fleet
	// Changes are sorted by cluster, object and work.
	Changes []Change
	// Joined and Left are clusters that receive something on one side only, sorted.
	Joined, Left []string
}

// Compare lists the differences between before and after. Only the data of an object and the work that carries it count,
// not its file or how it is written.
func Compare(before, after *Fleet) (*Comparison, error) {
	return CompareWith(before, after, func(int, int) {})
}

// CompareWith is Compare, and calls observe when another cluster is compared, from several goroutines.
func CompareWith(before, after *Fleet, observe func(done, total int)) (*Comparison, error) {
	c, err := compare(before, after, false, observe)
	if err != nil { // the scan of a work may have misread it: parse all of them
		return compare(before, after, true, observe)
	}
	return c, nil
}

func compare(before, after *Fleet, thorough bool, observe func(done, total int)) (*Comparison, error) {
	c := &Comparison{Before: before, After: after}
	clusters := differing(before, after)
	found := make([][]Change, len(clusters))
	ids := &idCache{}
	var done atomic.Int64
	err := InParallel(len(clusters), func(i int) (err error) {
		found[i], err = clusters[i].compare(ids, thorough)
		observe(int(done.Add(1)), len(clusters))
		return err
	})
	if err != nil {
		return nil, err
	}
	c.Changes = slices.Concat(found...)
	if err := c.dropDuplicates(ids, thorough); err != nil {
		return nil, err
	}
	if err := comparePairsOf(c); err != nil {
		return nil, err
	}
	c.setStrategies()
	was, is := before.objectCounts(), after.objectCounts()
	c.Joined, c.Left = missingIn(was, is), missingIn(is, was)
	return c, nil
}

// missingIn are the clusters in all that are not in some, sorted.
func missingIn(some, all map[string]int) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if _, ok := some[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

// onlyFollowsObjects reports whether the settings of a work change only for objects that come or go, in how the agent applies all
// objects, and in which objects stay on the cluster.
func (c *Comparison) onlyFollowsObjects(ch *Change) bool {
	for _, f := range ch.pair.fields {
		if !strings.HasPrefix(f.Field, "spec.") || isDeletionField(f.Field) {
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
