package correspond

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// plan puts together what was decided.
func (r *run) plan() *Plan {
	r.sayBroken()
	r.sayGone()
	for _, g := range r.groups {
		for i := range g.changes {
			r.note(g, &g.changes[i])
			r.sayChange(g, &g.changes[i])
		}
	}
	return &Plan{
		Items:        r.resultingItems(),
		Operations:   r.operations(),
		Summaries:    r.summaries(),
		Results:      r.sortedResults(),
		RequeueAfter: r.requeue,
	}
}

// sayBroken reports items whose tags are damaged, unless this run mends them.
func (r *run) sayBroken() {
	mended := map[*item]bool{}
	for _, g := range r.groups {
		for _, c := range g.changes {
			mended[c.old] = c.object != nil && c.action != ActionKeep
			if c.reason == ReasonBadTags {
				r.sayContradiction(g, c.old)
			}
		}
		for _, it := range g.observed {
			if g.settled && g.why != ReasonHeld && it.tags.MapKey != g.MapKey {
				r.sayContradiction(g, it)
			}
		}
	}
	for _, it := range r.items {
		if it.broken && !mended[it] {
			r.sayItem(it)
		}
	}
}

func (r *run) sayContradiction(g *group, it *item) {
	r.say(g, sdk.Error, ReasonBadTags, it.object, nil, "%s: its label %s contradicts its annotations; it stays", it.ref, MapKeyLabel)
}

// sayItem reports an item whose tags name its controller and no key.
func (r *run) sayItem(it *item) {
	for _, e := range r.edges {
		if e.Controller == it.tags.Controller {
			r.results = append(r.results, Result{
				Severity: sdk.Error, Reason: ReasonBadTags, Controller: e.Controller, Edge: e.Name, Object: it.object,
				Message: e.title("") + it.ref.String() + " has lost some of its tags; restore them, or take them all off",
			})
			return
		}
	}
}

func (r *run) sayChange(g *group, c *change) {
	if c.lost && c.action != ActionAdopt {
		r.say(g, sdk.Warning, ReasonStateLost, c.old.object, nil, "what was last applied to %s is not known; what it has besides is kept", c.ref)
	}
	switch c.action {
	case ActionAdopt:
		r.say(g, sdk.Info, ReasonAdopted, c.old.object, nil, "%s was there before and is adopted", c.ref)
	case ActionOrphan:
		why := ""
		switch {
		case c.adopted:
			why = ": it was there before it was adopted"
		case !g.outcome.letsGo:
			why = ", as its annotation " + KeepAnnotation + " asks"
		}
		r.say(g, sdk.Info, c.reason, c.old.object, nil, "%s is let go of%s", c.ref, why)
	}
}

// resultingItems are the items after all changes.
func (r *run) resultingItems() []*krm.Object {
	slots := slices.Clone(r.view.Items)
	var added []*krm.Object
	for _, g := range r.groups {
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
	for _, s := range r.states {
		switch {
		case s.changes == nil:
		case s.pos >= 0:
			slots[s.pos] = s.result()
		default:
			if o := s.result(); o != nil {
				added = append(added, o)
			}
		}
	}
	kept := slices.DeleteFunc(slots, func(o *krm.Object) bool { return o == nil })
	slices.SortFunc(added, func(a, b *krm.Object) int { return compareRefs(r.view.ref(a), r.view.ref(b)) })
	file(kept, added)
	return append(kept, added...)
}

// file gives new objects an index behind all that are in their file.
func file(kept, added []*krm.Object) {
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
