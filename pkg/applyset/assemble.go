package applyset

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// plan assembles the decisions.
func (p *planner) plan() *Plan {
	p.reportDamagedTags()
	p.reportMissingOwners()
	for _, g := range p.groups {
		for i := range g.changes {
			p.recordState(g, &g.changes[i])
			p.reportChange(g, &g.changes[i])
		}
	}
	return &Plan{
		Items:        p.resultingItems(),
		Operations:   p.operations(),
		Summaries:    p.summaries(),
		Results:      p.sortedResults(),
		RequeueAfter: p.requeue,
	}
}

// resultingItems are the items after all changes.
func (p *planner) resultingItems() []*krm.Object {
	slots := slices.Clone(p.view.Items)
	var added []*krm.Object
	for _, g := range p.groups {
		for i := range g.changes {
			c := &g.changes[i]
			if c.action != ActionCreate {
				slots[c.old.pos] = c.object
				continue
			}
			if c.file != "" {
				c.object.SetPath(c.file, 0)
			}
			added = append(added, c.object)
		}
	}
	for _, s := range p.states {
		if len(s.changes) == 0 {
			continue
		}
		if o := s.result(); s.pos >= 0 {
			slots[s.pos] = o
		} else if o != nil {
			added = append(added, o)
		}
	}
	kept := slices.DeleteFunc(slots, func(o *krm.Object) bool { return o == nil })
	slices.SortFunc(added, func(a, b *krm.Object) int { return compareRefs(p.view.ref(a), p.view.ref(b)) })
	assignIndexes(kept, added)
	return append(kept, added...)
}

// assignIndexes gives each new object an index after all objects in its file.
func assignIndexes(kept, added []*krm.Object) {
	next := make(map[string]int, len(added))
	for _, o := range added {
		next[o.File()] = 0
	}
	if len(next) == 0 {
		return
	}
	for _, o := range kept {
		name := o.File()
		if at, ours := next[name]; ours {
			next[name] = max(at, o.Index()+1)
		}
	}
	for _, o := range added {
		if name := o.File(); name != "" {
			if next[name] > 0 {
				o.SetPath(name, next[name])
			}
			next[name]++
		}
	}
}

// summaries count the objects of each owner.
func (p *planner) summaries() []Summary {
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
	for _, e := range p.edges {
		for owner := range e.owners {
			of(e.Controller, owner)
		}
	}
	for _, g := range p.groups {
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
	if g.hasInput {
		s.Inputs++
	} else {
		s.Detached = append(s.Detached, g.Outputs...)
	}
	if g.frozen {
		s.Outputs += len(g.observed)
		if g.reason == ReasonFailed {
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
