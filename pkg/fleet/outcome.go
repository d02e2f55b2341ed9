package fleet

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Outcome is what happens to an object on a cluster when the works that hold it change. The agent of OCM applies works one
// by one, in any order: it deletes an object that one work drops, even if another is to hold it, unless it was handed over.
type Outcome string

// The outcomes. An object without one stays in its work, or is new.
const (
	// Deleted: no work holds the object any more.
	Deleted Outcome = "deleted"
	// Recreated: other works hold it, and those that did have no entries for it: it is deleted and created again.
	Recreated Outcome = "recreated"
	// HandedOver: other works hold it, and those that did have hand-over entries for it: it stays.
	HandedOver Outcome = "handed-over"
	// HandOverEnded: a work drops its entry. The object stays, if the agent has applied the entry.
	HandOverEnded Outcome = "hand-over-ended"
	// LeftBehind: no work owns it any more, and those that did have released it: it stays. Read-only works may hold it.
	LeftBehind Outcome = "left-behind"
	// StillHeld: a work drops it that another holds as well, before and after: it stays.
	StillHeld Outcome = "still-held"
)

// holders are the works of a cluster that hold an object, and those that have hand-over entries for it, by name.
type holders struct{ held, entries [2]map[string]*Delivery } // before and after

const was, is = 0, 1

// outcome is what happens to the object. A read-only work does not protect it.
func (h *holders) outcome(id krm.ID) Outcome {
	safe, owned := true, false
	for work, d := range h.held[was] {
		stays := h.held[is][work] != nil
		if stays && d.owns(id) {
			return StillHeld
		}
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
		asked[d.id] = &holders{}
	}
	for i := range changes {
		if changes[i].dropsObject() {
			asked[changes[i].ID] = &holders{}
		}
	}
	if len(asked) == 0 {
		return changes, nil
	}
	same, err := t.deliveries(t.same, thorough)
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

// dropsObject reports whether a work stops holding an object.
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

// holders records which deliveries of one side are of the objects asked for.
func (ids *idCache) holders(asked map[krm.ID]*holders, side int, all []Delivery) error {
	for i := range all {
		d := &all[i]
		if d.Itself || !mayHold(d.Content.text, asked) {
			continue
		}
		id, err := ids.of(d.Content)
		if err != nil {
			return fmt.Errorf("%s: %w", d.File, err)
		}
		h := asked[id]
		switch {
		case h == nil:
		case d.HandOver:
			h.entries[side] = with(h.entries[side], d)
		default:
			h.held[side] = with(h.held[side], d)
		}
	}
	return nil
}

func with(all map[string]*Delivery, d *Delivery) map[string]*Delivery {
	if all == nil {
		all = map[string]*Delivery{}
	}
	all[d.Work] = d
	return all
}

// manyNames is the number of names above which searching for them takes longer than reading each identity.
const manyNames = 8

// mayHold reports whether text may be one of the objects asked for.
func mayHold(text []byte, asked map[krm.ID]*holders) bool {
	if len(asked) >= manyNames {
		return true
	}
	for id := range asked {
		if bytes.Contains(text, []byte(id.Name)) {
			return true
		}
	}
	return false
}
