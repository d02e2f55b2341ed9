package correspond

import (
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
)

// release finds what is to be done about outputs that a group no longer wants.
func (r *run) release(g *group) {
	wants := make(map[Ref]bool, len(g.desired))
	for _, d := range g.desired {
		wants[d.ref] = true
	}
	for _, it := range g.observed {
		if wants[it.ref] || r.isTaken(it.ref, g) {
			continue
		}
		c := change{ref: it.ref, old: it, object: it.object, action: ActionKeep, last: r.lastKnown(g, it)}
		switch {
		case g.keeps[it.ref]:
			c.reason = g.whyKept()
		case r.refusesType(g, it):
			c.reason = ReasonRefused
		case it.tags.MapKey != g.MapKey && !g.run.AnnotationsAlone:
			c.reason = ReasonBadTags
		case isDeleting(it.object):
			c.reason = ReasonDeleting
		case g.outcome.letsGo || it.object.Annotation(KeepAnnotation) == "true":
			c.action, c.reason, c.object = ActionOrphan, g.whyGone(), g.run.orphan(it.object, g)
		case !g.run.DeleteAdopted && r.adoption(g, it) != "":
			c.action, c.reason, c.object, c.adopted = ActionOrphan, g.whyGone(), g.run.orphan(it.object, g), true
		default:
			c.action, c.reason, c.object = ActionDelete, g.whyGone(), nil
		}
		g.changes = append(g.changes, c)
	}
}

// refusesType reports whether an output stays because its type was taken from the edge, and says so: the hook that
// no longer gives it had no choice.
func (r *run) refusesType(g *group, it *item) bool {
	gk, e := groupKind(it.ref.ID), g.run
	if e.AllowEmpty || e.OutputTypes == nil || slices.Contains(e.OutputTypes, gk) {
		return false
	}
	if why := fmt.Sprintf("%s is no output type any more", gk); !e.refused[why] {
		e.refused[why] = true
		r.sayOf(e, sdk.Error, ReasonRefused, "%s, but there are outputs of it; they stay unless allowEmpty is set", why)
	}
	return true
}

// isTaken reports whether another group gets an object that g had.
func (r *run) isTaken(ref Ref, g *group) bool {
	for _, other := range r.claims[ref] {
		if other != g && !other.settled {
			return true
		}
	}
	return false
}

func (g *group) whyKept() Reason {
	if g.present {
		return ReasonKept
	}
	return ReasonTombstone
}

func (g *group) whyGone() Reason {
	if g.present {
		return ReasonNotDesired
	}
	return g.Detached
}
