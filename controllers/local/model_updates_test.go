package local_test

import (
	"fmt"
	"strings"
)

// move is a ref downstream that is elsewhere after a reconcile.
type move struct{ ref, old, new string }

// moves are what lies between two views, in order of names.
func moves(before, after *view) (out []move) {
	all := map[string]bool{}
	for ref := range before.down {
		all[ref] = true
	}
	for ref := range after.down {
		all[ref] = true
	}
	for _, ref := range sortedNames(all) {
		if old, new := before.down[ref], after.down[ref]; old != new {
			out = append(out, move{ref, old, new})
		}
	}
	return out
}

func (v *view) at(ref string) *rev {
	for _, r := range v.revisions {
		if r.ref == ref {
			return r
		}
	}
	return nil
}

// attribute fails unless everything that reconciles moved between two views was theirs to move, and returns
// the moves by the variant that made them. They may have been decided on in an earlier view, too.
func (m *model) attribute(before, after *view, earlier ...*view) map[string][]move {
	m.Helper()
	for ref, id := range before.up {
		if after.up[ref] != id || len(after.up) != len(before.up) {
			m.Fatalf("a reconcile moved %s upstream", ref)
		}
	}
	by := map[string][]move{}
	for _, mv := range moves(before, after) {
		who, wrong := m.attributeOne(before, after, mv)
		for _, v := range earlier {
			if wrong != "" {
				who, wrong = m.attributeOne(v, after, mv)
			}
		}
		if wrong != "" {
			m.Fatalf("a reconcile moved %s from %q to %q: %s", mv.ref, mv.old, mv.new, wrong)
		}
		by[who] = append(by[who], mv)
	}
	return by
}

// attributeOne says who made a move, and what is wrong with it, "" for nothing.
func (m *model) attributeOne(before, after *view, mv move) (who, wrong string) {
	desired, _ := m.desired(before)
	switch was := before.at(mv.ref); {
	case strings.HasPrefix(mv.ref, "heads/waybill/adopted/"):
		return m.attributeAdoption(before, mv, desired)
	case strings.HasPrefix(mv.ref, "heads/deletionProposed/"):
		return m.attributeProposal(before, mv, desired)
	case strings.HasPrefix(mv.ref, "heads/drafts/") && mv.old == "":
		return m.attributeNew(before, after, mv, desired)
	case strings.HasPrefix(mv.ref, "heads/drafts/") && mv.new != "" && was != nil:
		return m.attributeUpdate(was, after.at(mv.ref), mv, desired)
	case mv.new == "" && was != nil && was.open():
		return m.attributeDeletion(was, desired)
	}
	return "", "only users may move it"
}

// attributeNew: a new draft is one commit on main, of a variant that wants the package and has none open.
func (m *model) attributeNew(before, after *view, mv move, desired map[string]*desiredVariant) (who, wrong string) {
	r := after.at(mv.ref)
	w := desired[r.owner]
	if w == nil || w.dying || w.pkg != r.pkg {
		return r.owner, fmt.Sprintf("%q does not want it", r.owner)
	}
	if open, _, _ := before.of(w); len(open) > 0 && !w.recreate {
		return r.owner, "there is an open draft already"
	}
	if parents := m.readers[1].commit(mv.new).parents; len(parents) != 1 || !m.readers[1].isAncestor(parents[0], after.down["heads/main"]) {
		return r.owner, fmt.Sprintf("it is not one commit on main but on %v", parents)
	}
	return r.owner, ""
}

// attributeUpdate: a draft grows by commits of a variant that it belongs to, or that may adopt it.
func (m *model) attributeUpdate(was, is *rev, mv move, desired map[string]*desiredVariant) (who, wrong string) {
	switch w := desired[is.owner]; {
	case w == nil || w.dying || w.pkg != is.pkg:
		return is.owner, fmt.Sprintf("%q does not want it", is.owner)
	case was.owner != is.owner && (was.taken || !w.adopt):
		return is.owner, fmt.Sprintf("it belongs to %q", was.owner)
	}
	if c := m.readers[1].commit(mv.new); len(c.parents) != 1 || c.parents[0] != mv.old || !ownerIn.MatchString(c.message) {
		return is.owner, "it is not one commit of its owner on what was there"
	}
	return is.owner, ""
}

// attributeAdoption: a variant that adopts records what it takes over, and that is nobody else's.
func (m *model) attributeAdoption(before *view, mv move, desired map[string]*desiredVariant) (who, wrong string) {
	c := m.readers[1].commit(mv.new)
	owner := ownerIn.FindStringSubmatch(c.message)
	if owner == nil || len(c.parents) != 1 || mv.old != "" && c.parents[0] != mv.old {
		return "", "it is not one commit of an owner on what was there"
	}
	w := desired[owner[1]]
	if w == nil || w.dying || !w.adopt || mv.ref != "heads/waybill/adopted/"+w.pkg+"/revisions" {
		return owner[1], "it does not adopt that"
	}
	for _, r := range before.revisions {
		if r.pkg == w.pkg && strings.Contains(c.message, "\nWaybill-Adopted: "+r.tip+"\n") && (r.taken || r.owner == w.name) {
			return w.name, fmt.Sprintf("%s belongs to %q", r.ref, r.owner)
		}
	}
	m.seen.add("adopted")
	return w.name, ""
}

// attributeDeletion: a draft or proposal goes when its owner goes, or wants another package, or it is to be recreated; and
// never with work of others in it.
func (m *model) attributeDeletion(r *rev, desired map[string]*desiredVariant) (who, wrong string) {
	w := desired[r.owner]
	switch {
	case r.foreign:
		return r.owner, "it holds work of others"
	case w == nil:
		return r.owner, fmt.Sprintf("it belongs to %q, which is not reconciled", r.owner)
	case w.dying || w.pkg != r.pkg:
		if w.orphan || r.orphan && !w.dying {
			return r.owner, "it was to be orphaned"
		}
		return r.owner, ""
	case w.recreate && r.stage == "drafts":
		return r.owner, ""
	}
	return r.owner, "it is wanted"
}

// attributeProposal: deletion is proposed of what an owner no longer wants, and undone of what one wants.
func (m *model) attributeProposal(before *view, mv move, desired map[string]*desiredVariant) (who, wrong string) {
	r := before.at("tags/" + strings.TrimPrefix(mv.ref, "heads/deletionProposed/"))
	if r == nil {
		return "", "there is no such revision"
	}
	if mv.old == "" {
		w := desired[r.owner]
		switch {
		case w == nil || !w.dying && (w.pkg == r.pkg || r.orphan):
			return r.owner, fmt.Sprintf("%q wants it, or is not there", r.owner)
		case w.orphan:
			return r.owner, "it was to be orphaned"
		}
		return r.owner, ""
	}
	for name, w := range desired {
		if !w.dying && w.pkg == r.pkg && (r.owner == name || !r.taken && w.adopt) {
			return name, ""
		}
	}
	return "", "no variant wants it"
}
