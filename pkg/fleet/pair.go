package fleet

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/fleet/objectdiff"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// pair is the content of one object before and after, in any number of clusters. before or after may be nil.
type pair struct {
	before, after   *Content
	itself          bool
	id              krm.ID
	at              *Delivery     // one of the deliveries
	fields          []diff.Change // sorted by field
	risks           []int         // indexes in risk.Rules, sorted
	digest          []byte        // tells changes apart that fields do not
	strategyChanges map[string]manifestwork.StrategyChange
}

type pairKey struct {
	before, after [sha256.Size]byte
	itself        bool
}

func keyOfPair(c *Change) (k pairKey) {
	k.itself = c.latest().Itself
	if c.Before != nil {
		k.before = c.Before.Content.Hash
	}
	if c.After != nil {
		k.after = c.After.Content.Hash
	}
	return k
}

// mostPaired is how many pairs are in memory as parsed objects at a time.
const mostPaired = 512

// comparePairsOf compares each pair of contents once, and drops changes without a difference.
func comparePairsOf(c *Comparison) error {
	known := map[pairKey]*pair{}
	var order []*pair
	for i := range c.Changes {
		ch := &c.Changes[i]
		k := keyOfPair(ch)
		if known[k] == nil {
			known[k] = pairOf(ch)
			order = append(order, known[k])
		}
		ch.pair = known[k]
	}
	for some := range slices.Chunk(order, mostPaired) {
		if err := comparePairs(some); err != nil {
			return err
		}
	}
	c.Changes = slices.DeleteFunc(c.Changes, func(ch Change) bool {
		return ch.Kind() == diff.Moved && ch.After != nil && ch.Before.Work == ch.After.Work
	})
	return nil
}

func pairOf(c *Change) *pair {
	p := &pair{id: c.ID, itself: c.latest().Itself, at: c.latest()}
	if c.Before != nil {
		p.before = c.Before.Content
	}
	if c.After != nil {
		p.after = c.After.Content
	}
	return p
}

// comparePairs finds the fields that differ, as package merge reports them, and the risks.
func comparePairs(pairs []*pair) error {
	sides := make([]sides, len(pairs))
	err := InParallel(len(pairs), func(i int) (err error) {
		sides[i], err = pairs[i].parse()
		return err
	})
	if err != nil {
		return err
	}
	from, to := map[string][]byte{}, map[string][]byte{}
	for i, s := range sides {
		if s.before.object != nil && s.after.object != nil {
			name := fmt.Sprintf("%06d.yaml", i)
			from[name], to[name] = s.before.text, s.after.text
		}
	}
	changes, err := fieldChanges(from, to)
	if err != nil {
		return err
	}
	for _, c := range changes {
		var i int
		if _, err := fmt.Sscanf(c.File, "%d.yaml", &i); err == nil && c.Kind != diff.Format {
			pairs[i].fields = append(pairs[i].fields, c)
		}
	}
	return InParallel(len(pairs), func(i int) error { return pairs[i].finish(&sides[i]) })
}

func fieldChanges(from, to map[string][]byte) ([]diff.Change, error) {
	a, err := pkgtree.New(from)
	if err != nil {
		return nil, err
	}
	b, err := pkgtree.New(to)
	if err != nil {
		return nil, err
	}
	return diff.Changes(a, b)
}

// finish adds the differences that a merge does not report, such as an annotation of an orchestrator. Then it rates the risks.
func (p *pair) finish(s *sides) error {
	if s.before.object != nil && s.after.object != nil {
		same, err := false, error(nil)
		if len(p.fields) == 0 {
			same, err = sameData(s.before.object, s.after.object)
		}
		switch {
		case err != nil:
			return p.fault(err)
		case !same:
			p.fields = append(p.fields, objectdiff.BeyondMerge(p.fields, s.before.object, s.after.object)...)
		}
		if !same && len(p.fields) == 0 {
			p.fields = []diff.Change{{Kind: diff.Changed}}
		}
	}
	if p.itself && s.before.object != nil && s.after.object != nil {
		p.strategyChanges = manifestwork.StrategyChanges(s.before.object, s.after.object)
	}
	slices.SortStableFunc(p.fields, func(a, b diff.Change) int { return strings.Compare(a.Field, b.Field) })
	var err error
	if p.digest, err = digestOf(p.fields, s); err != nil {
		return p.fault(err)
	}
	d := &risk.Diff{ID: p.id, Itself: p.itself, Before: s.before.object, After: s.after.object, Fields: p.fields}
	if p.risks, err = risk.Of(d); err != nil {
		return p.fault(err)
	}
	return nil
}

func (p *pair) fault(err error) error {
	where := p.at.File
	if p.at.Work != "" {
		where += ": work " + p.at.Cluster + "/" + p.at.Work
	}
	return fmt.Errorf("%s: %s: %w", where, p.id, err)
}

func sameData(a, b *krm.Object) (bool, error) {
	x, err := krm.CanonicalJSON(a.Node())
	if err != nil {
		return false, err
	}
	y, err := krm.CanonicalJSON(b.Node())
	return bytes.Equal(x, y), err
}
