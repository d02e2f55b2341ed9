package fleet

import (
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/risk"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// withOutcomes sets the outcomes of changes, and adds the hand-over entries that end.
func withOutcomes(changes []Change, ended []identified, asked map[krm.ID]*holders) []Change {
	for _, d := range ended {
		// the agent still owns an object that it only watches now: if no other work owns the object, this one does
		if h := asked[d.id]; h.owners(was, d.id) == 0 && !d.stays(d.id) {
			h.held[was][d.Work] = d.Delivery
		}
	}
	for i := range changes {
		if c := &changes[i]; c.dropsObject() {
			c.setOutcome(asked[c.ID])
		}
	}
	for _, d := range ended {
		c, h := Change{ID: d.id, Before: d.Delivery}, asked[d.id]
		if h.held[is][d.Work] != nil {
			continue // the work holds it again
		}
		c.setOutcome(h)
		if h.held[was][d.Work] == nil {
			if len(h.held[was]) > 0 && (c.Outcome == Deleted || c.Outcome == Recreated) {
				continue // the changes of its holders report it
			}
			c.Outcome = HandOverEnded
		}
		changes = append(changes, c)
	}
	if len(ended) > 0 {
		slices.SortStableFunc(changes, compareChanges)
	}
	return changes
}

func (c *Change) setOutcome(h *holders) {
	c.Outcome = h.outcome(c.ID)
	c.holders = slices.Sorted(maps.Keys(h.held[is]))
	if entry := h.entries[is][c.Before.Work]; entry != nil {
		c.watched = !entry.stays(c.ID)
	}
}

// Says is what happens on the cluster and what to do about it, in one or two sentences; "" without an outcome.
func (c *Change) Says() string {
	if c.Outcome == "" {
		return ""
	}
	from, to := worksNamed([]string{c.Before.Work}), worksNamed(c.holders)
	switch c.Outcome {
	case Recreated:
		return "OCM deletes it when " + from + " drops it, and creates it again for " + to + "."
	case HandedOver:
		return "Handed over from " + from + " to " + to + "; it stays on the cluster. When every cluster has applied this, " +
			"render once with handOver: finish."
	case HandOverEnded:
		return "The hand-over by " + from + " ends; " + held(to) + ". A cluster that has not applied the hand-over, because it was offline, " +
			"deletes the object: first check that every cluster has applied it."
	case Deleted:
		if to != "" {
			return "OCM deletes it when " + from + " drops it: " + to + " only reads it (ReadOnly)."
		}
	case LeftBehind:
		if c.watched {
			return "It stays on the cluster as long as " + from + " names it: the agent still owns it, and deletes it when the entry goes."
		}
		if to != "" {
			return "It stays on the cluster, and no work owns it any more: " + to + " only reads it (ReadOnly)."
		}
		return "It stays on the cluster, and no work holds it any more."
	case StillHeld:
		return "It stays on the cluster: " + held(to) + "."
	}
	return ""
}

func worksNamed(names []string) string {
	var out []string
	for _, name := range names {
		if name == "" {
			out = append(out, "a file without a work")
		} else {
			out = append(out, "work "+name)
		}
	}
	return strings.Join(out, " and ")
}

func held(by string) string {
	if by == "" {
		return "it stays on the cluster, and no work holds it"
	}
	return by + " holds it"
}

func (c *Change) outcomeRule() string {
	class := risk.ClassOf(c.ID)
	switch c.Outcome {
	case Deleted:
		if class == "job" { // it is done, or to end
			class = "object"
		}
		return class + "-deleted"
	case Recreated:
		return class + "-recreated"
	case HandedOver:
		if class != "object" {
			return "critical-hand-over"
		}
		return string(HandedOver)
	case HandOverEnded:
		if class != "object" {
			return "critical-hand-over-ended"
		}
		return string(HandOverEnded)
	case LeftBehind:
		return string(LeftBehind)
	}
	return ""
}
