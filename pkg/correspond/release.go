package correspond

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
		c := change{ref: it.ref, old: it, object: it.object, action: ActionKeep, last: r.lastKnown(it)}
		switch {
		case g.keeps[it.ref]:
			c.reason = g.whyKept()
		case it.tags.MapKey != g.MapKey:
			c.reason = ReasonBadTags
		case isDeleting(it.object):
			c.reason = ReasonDeleting
		case it.object.Annotation(KeepAnnotation) == "true":
			c.action, c.reason, c.object = ActionOrphan, g.whyGone(), g.run.orphan(it.object, g)
		default:
			c.action, c.reason, c.object = ActionDelete, g.whyGone(), nil
		}
		g.changes = append(g.changes, c)
	}
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
