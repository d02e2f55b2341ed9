package correspond

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// summaries count what belongs to each owner.
func (r *run) summaries() []Summary {
	type id struct{ controller, owner string }
	by := map[id]*Summary{}
	of := func(controller, owner string) *Summary {
		s := by[id{controller, owner}]
		if s == nil {
			s = &Summary{Controller: controller, Owner: owner}
			by[id{controller, owner}] = s
		}
		return s
	}
	for _, e := range r.edges {
		for owner := range e.owners {
			of(e.Controller, owner)
		}
	}
	for _, g := range r.groups {
		of(g.Controller, g.Owner).add(g)
	}
	out := make([]Summary, 0, len(by))
	for _, s := range by {
		slices.SortFunc(s.Observed, compareIDs)
		slices.SortFunc(s.Detached, compareIDs)
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b Summary) int {
		return cmp.Or(cmp.Compare(a.Controller, b.Controller), cmp.Compare(a.Owner, b.Owner))
	})
	return out
}

func compareIDs(a, b *krm.Object) int {
	if c := compareRefs(Ref{ID: a.ID()}, Ref{ID: b.ID()}); c != 0 {
		return c
	}
	return CompareCopies(a, b)
}

func (s *Summary) add(g *group) {
	s.Observed = append(s.Observed, g.Outputs...)
	if g.present {
		s.Inputs++
	} else {
		s.Detached = append(s.Detached, g.Outputs...)
	}
	if g.settled {
		s.Outputs += len(g.observed)
		if g.why == ReasonFailed {
			s.FailedKeys++
		}
		return
	}
	s.Outputs += len(g.desired)
	for _, c := range g.changes {
		switch c.action {
		case ActionCreate:
			s.Created++
		case ActionDelete, ActionOrphan:
			s.Removed++
		case ActionKeep:
			if c.reason != ReasonOnDelete && !c.quiet {
				s.Outputs++
			}
		default:
			s.Changed++
		}
	}
}
