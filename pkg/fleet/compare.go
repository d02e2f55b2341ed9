package fleet

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
)

// Change is one difference: of one object in one cluster.
type Change struct {
	ID            krm.ID
	Before, After *Delivery // nil where there is none
	Outcome       Outcome   // "" where no work lets go of the object
	pair          *pair
	holders       []string               // works that hold it after, sorted; for changes with an outcome
	strategies    []waybill.PreviewField // of a work that applies in another way what it held before
	watched       bool                   // the work that lets go has an entry by which the agent only looks at the object
}

// Cluster is the cluster that it is about.
func (c *Change) Cluster() string { return c.there().Cluster }

// there is what is there after or, of what goes, what was there.
func (c *Change) there() *Delivery {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// Kind is added, removed, changed or, of what says the same and comes in other works, moved.
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

// Compare lists what is different in after. Two objects that say the same are the same, however they are written; which
// file they stand in makes no difference, which work they come in does.
func Compare(before, after *Fleet) (*Comparison, error) {
	c, err := compare(before, after, false)
	if err != nil { // a work may not mean what its lines say: then all of them are parsed
		return compare(before, after, true)
	}
	return c, nil
}

func compare(before, after *Fleet, thorough bool) (*Comparison, error) {
	c := &Comparison{Before: before, After: after}
	clusters := differing(before, after)
	found, errs := make([][]Change, len(clusters)), make([]error, len(clusters))
	ids := &idCache{}
	inParallel(len(clusters), func(i int) { found[i], errs[i] = clusters[i].compare(ids, thorough) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	c.Changes = slices.Concat(found...)
	if err := c.dropTwins(ids, thorough); err != nil {
		return nil, err
	}
	if err := pairUp(c); err != nil {
		return nil, err
	}
	c.setStrategies()
	was, is := before.loads(), after.loads()
	c.Joined, c.Left = missingIn(was, is), missingIn(is, was)
	return c, nil
}

// missingIn are the clusters of all that some does not have, sorted.
func missingIn(some, all map[string]int) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if _, ok := some[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}
