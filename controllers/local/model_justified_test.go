package local_test

import (
	"fmt"
	"strings"
)

// justified reports whether there is the trouble that a message speaks of.
func (m *model) justified(before *view, w *desiredVariant, message string) bool {
	says := func(text string) bool { return strings.Contains(message, text) }
	targets := before.targets(w)
	up, there := m.resolve(w, before, targets)
	_, _, strangers := before.of(w)
	is := func(what func(*rev) bool) bool {
		for _, r := range targets {
			if what(r) {
				return true
			}
		}
		return false
	}
	switch {
	case says("could not find upstream package revision"), says("no published revision of package"):
		gone := func(r *rev) bool { return before.up[fmt.Sprintf("tags/shop/v%d", lock(m.filesOf(r)).number)] == "" }
		return !there || is(gone) // what a merge starts from must be published, too
	case says("cannot update upstream of downstream"):
		return is(func(r *rev) bool { return r.open() && lock(m.filesOf(r)) != up })
	case says("it is Proposed and would change"):
		return is(func(r *rev) bool { return r.stage == "proposed" })
	case says("exists already in repo"):
		return len(targets) == 0 && (strangers || len(m.readers[1].files(before.down["heads/main"], w.pkg)) > 0)
	case says("is no longer wanted and holds commits by others"):
		return before.keeps(w)
	case says("conflicts with local edits"):
		m.seen.add("conflict")
		_, newest, _ := before.of(w)
		if newest == nil || is(func(r *rev) bool { return r.open() && !m.isReplaced(w, r, up) }) {
			return false
		}
		ours := m.filesOf(newest)
		_, conflicts := merged3(m.readers[0].files(lock(ours).commit, "shop"), m.readers[0].files(up.commit, "shop"), ours)
		return lock(ours) != up && len(conflicts) > 0
	}
	return w.note == refusing && says("is not to my taste") || says("lie inside package") || says("lies inside it") || m.budget != "" && says("change budget")
}

// isReplaced reports whether a variant makes another draft of what is published, in place of one of an upstream before.
func (m *model) isReplaced(w *desiredVariant, r *rev, up release) bool {
	return w.recreate && r.stage == "drafts" && r.owner == w.name && !r.foreign && !m.byHand[r.pkg+"/"+r.ws] && lock(m.filesOf(r)) != up
}

// keeps reports whether a variant has to wait for a draft that it no longer wants and that holds work of others.
func (v *view) keeps(w *desiredVariant) bool {
	for _, r := range v.revisions {
		if r.owner == w.name && r.open() && r.foreign && !w.orphan && (w.dying || r.pkg != w.pkg && !r.orphan) {
			return true
		}
	}
	return false
}

// mayKeep reports whether a message says that a variant keeps a revision that it no longer wants, and why: another one wants it, or
// a set failed, so that it is not known what its variants want. A variant that is being deleted keeps it for one that adopts.
func (m *model) mayKeep(now *view, w *desiredVariant, r *rev, message string) bool {
	says := func(why string) bool { return strings.Contains(message, r.name()+" is kept: "+why) }
	desired, ok := m.desired(now)
	for name, other := range desired {
		if !other.dying && other.pkg == r.pkg && (other.adopt || !w.dying) && says(fmt.Sprintf("PackageVariant %q wants it", name)) {
			return true
		}
	}
	return !ok && !w.dying && says(`a PackageVariant of PackageVariantSet "edge" may want it, which failed`)
}

// known reports whether a message is that of a promise that is known to be broken. Who mends it takes this
// away: where a draft is to be recreated that was never published, and another user has one in the
// package, too, the package counts as theirs.
func (m *model) known(before *view, w *desiredVariant, message string) bool {
	open, newest, strangers := before.of(w)
	return w.recreate && len(open) > 0 && newest == nil && strangers && strings.Contains(message, "exists already in repo")
}
