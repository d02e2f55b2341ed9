package fleet

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
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
	c, err := compare(before, after, false)
	if err != nil { // the scan of a work may have misread it: parse all of them
		return compare(before, after, true)
	}
	return c, nil
}

func compare(before, after *Fleet, thorough bool) (*Comparison, error) {
	c := &Comparison{Before: before, After: after}
	clusters := differing(before, after)
	found := make([][]Change, len(clusters))
	ids := &idCache{}
	err := InParallel(len(clusters), func(i int) (err error) {
		found[i], err = clusters[i].compare(ids, thorough)
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
