package fleet

import (
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Outcome is what happens to an object on a cluster when the works that hold it change. OCM's agent applies works one by
// one, in any order. It deletes an object that one work drops, even if another work is about to hold it, unless the object
// was handed over.
type Outcome string

// An object without an outcome stays in its work, or is new.
const (
	// Deleted: no work holds the object any more.
	Deleted Outcome = "deleted"
	// Recreated: other works hold it, and the works that held it have no entries for it: it is deleted and created again.
	Recreated Outcome = "recreated"
	// HandedOver: other works hold it, and the works that held it have hand-over entries for it: it stays.
	HandedOver Outcome = "handed-over"
	// HandOverEnded: a work drops its entry. The object stays, if the agent has applied the entry.
	HandOverEnded Outcome = "hand-over-ended"
	// LeftBehind: no work owns it any more, and the works that owned it have released it: it stays. Read-only works may
	// hold it.
	LeftBehind Outcome = "left-behind"
	// StillHeld: a work drops it, and another work holds it before and after: it stays.
	StillHeld Outcome = "still-held"
)

// holders are the works of a cluster that hold an object, and those that have hand-over entries for it, by name.
type holders struct{ held, entries [2]map[string]*Delivery } // before and after

const was, is = 0, 1

func newHolders() *holders {
	return &holders{[2]map[string]*Delivery{{}, {}}, [2]map[string]*Delivery{{}, {}}}
}

func (h *holders) add(side int, d *Delivery) {
	if d.HandOver {
		h.entries[side][d.Work] = d
	} else {
		h.held[side][d.Work] = d
	}
}

// outcome is the outcome for one object. A read-only work does not protect it, and neither does one that lets it stay: only an
// owner keeps others from deleting it.
func (h *holders) outcome(id krm.ID) Outcome {
	safe, owned, kept := true, false, false
	for work, d := range h.held[was] {
		stays := h.held[is][work] != nil
		if stays && d.owns(id) && !d.stays(id) {
			return StillHeld
		}
		kept = kept || stays && d.owns(id)
		owned = owned || d.owns(id)
		safe = safe && (stays || h.entries[is][work] != nil || d.stays(id))
	}
	switch owners := h.owners(is, id); {
	case owners == 0 && safe && len(h.held[is]) > 0 && !owned:
		return StillHeld
	case owners == 0 && safe:
		return LeftBehind
	case owners == 0:
		return Deleted
	case safe && kept && len(h.entries[is]) == 0:
		return StillHeld
	case safe:
		return HandedOver
	}
	return Recreated
}

// owners counts the works of one side that own the object.
func (h *holders) owners(side int, id krm.ID) (n int) {
	for _, d := range h.held[side] {
		if d.owns(id) {
			n++
		}
	}
	return n
}

// addOutcomes sets the outcomes of the changes of a cluster, and adds the hand-overs that end.
func (t *clusterFiles) addOutcomes(ids *idCache, changes []Change, before, after []Delivery, thorough bool) ([]Change, error) {
	ended, err := ids.ended(before, after)
	if err != nil {
		return nil, err
	}
	asked := map[krm.ID]*holders{}
	for _, d := range ended {
		asked[d.id] = newHolders()
	}
	for i := range changes {
		if c := &changes[i]; c.dropsObject() {
			if asked[c.ID] == nil {
				asked[c.ID] = newHolders()
			}
			asked[c.ID].add(was, c.Before) // a search of its text does not find a name that YAML escapes
		}
	}
	if len(asked) == 0 {
		return changes, nil
	}
	same, err := deliveriesTo(t.cluster, t.same, thorough)
	if err != nil {
		return nil, err
	}
	for side, all := range [][]Delivery{was: slices.Concat(before, same), is: slices.Concat(after, same)} {
		if err := ids.holders(asked, side, all); err != nil {
			return nil, err
		}
	}
	return withOutcomes(changes, ended, asked), nil
}

func (c *Change) dropsObject() bool {
	return c.Before != nil && !c.Before.Itself && (c.After == nil || c.movesWork())
}

// ended are the hand-over entries that are gone after the change.
func (ids *idCache) ended(before, after []Delivery) (out []identified, err error) {
	entry := func(d Delivery) bool { return !d.HandOver }
	was, err := ids.identify(slices.DeleteFunc(slices.Clone(before), entry))
	if err != nil || len(was) == 0 {
		return nil, err
	}
	is, err := ids.identify(slices.DeleteFunc(slices.Clone(after), entry))
	if err != nil {
		return nil, err
	}
	stays := map[matchKey]bool{}
	for _, d := range is {
		stays[matchKey{id: d.id, work: d.Work}] = true
	}
	return slices.DeleteFunc(was, func(d identified) bool { return stays[matchKey{id: d.id, work: d.Work}] }), nil
}

func (ids *idCache) holders(asked map[krm.ID]*holders, side int, all []Delivery) error {
	for i := range all {
		d := &all[i]
		if d.Itself || len(asked) < manyNames && !mentions(d.Content.text, asked) {
			continue
		}
		id, err := ids.of(d.Content)
		if err != nil {
			return fmt.Errorf("%s: %w", d.File, err)
		}
		if h := asked[id]; h != nil {
			h.add(side, d)
		}
	}
	return nil
}

// manyNames is the number of names above which searching for them takes longer than reading each identity.
const manyNames = 8
