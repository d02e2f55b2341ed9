package local_test

import (
	"strconv"
	"strings"
)

// checkBudget: what variants changed that no annotation lets through is within the budget. It counts too
// little rather than too much: objects in files of their own that hold other data than what is published.
func (m *model) checkBudget(before, after *view, by map[string][]move, desired map[string]*desiredVariant) {
	m.Helper()
	field, text, _ := strings.Cut(m.budget, " ")
	if field == "" {
		return
	}
	most, err := strconv.Atoi(text)
	if err != nil {
		m.Fatal(err)
	}
	changed := map[string]int{}
	for who, moved := range by {
		if w := desired[who]; w == nil || w.exempt {
			continue
		}
		for _, mv := range moved {
			objects, deletions := m.weigh(before, after, mv)
			changed["maxObjects"] += objects
			changed["maxDeletions"] += deletions
		}
	}
	if changed[field] > most {
		m.Fatalf("the budget is %s, and one reconcile changed %d by %v", m.budget, changed[field], by)
	}
	m.seen.add("kept a budget")
}

// weigh is how many objects a move changes and deletes as compared with what is published. An old release
// that goes takes nothing away that is in force.
func (m *model) weigh(before, after *view, mv move) (objects, deletions int) {
	was, is := map[string]string{}, map[string]string{}
	tag, doom := strings.CutPrefix(mv.ref, "heads/deletionProposed/")
	r := after.at(mv.ref)
	if doom && mv.old == "" {
		r = before.at("tags/" + tag)
	}
	if r == nil || doom && mv.old != "" {
		return 0, 0
	}
	latest := before.latest(r.pkg)
	switch {
	case doom && latest != r:
		return 0, 0
	case !doom:
		is = m.filesOf(r)
	}
	if latest != nil {
		was = m.filesOf(latest)
	}
	return compared(was, is)
}

// latest is the newest published revision of a package, of any owner.
func (v *view) latest(pkg string) (latest *rev) {
	for _, r := range v.revisions {
		if r.pkg == pkg && r.number > 0 && (latest == nil || r.number > latest.number) {
			latest = r
		}
	}
	return latest
}

func compared(was, is map[string]string) (objects, deletions int) {
	for _, file := range []string{"app.yaml", "extra.yaml", "mine.yaml", "site.yaml"} {
		old, there := was[file]
		now, stays := is[file]
		switch {
		case there && !stays:
			objects, deletions = objects+1, deletions+1
		case there != stays || sum(old) != sum(now):
			objects++
		}
	}
	return objects, deletions
}

// sum is what counts of an object that this test knows.
func sum(text string) string {
	o := parse(text)
	return strings.Join([]string{at(o, "data", "greeting"), at(o, "data", "colour"), at(o, "spec", "cidr"), at(o, "metadata", "annotations", "note-region")}, "|")
}
