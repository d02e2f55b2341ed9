package merge

import (
	"maps"
	"slices"
	"testing"
)

// FuzzChanges: any two files compare, in their place and with an object on its way to another file; the
// laws hold.
func FuzzChanges(f *testing.F) {
	for _, g := range goldens(f, "testdata") {
		for p := range g.ours.All() {
			base, theirs, ours := g.versionsOf(p)
			f.Add(p, base, theirs)
			f.Add(p, theirs, ours)
		}
	}
	cases := changeCases()
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		for _, p := range slices.Sorted(maps.Keys(c.from)) {
			f.Add(p, c.from[p], c.to[p])
		}
	}
	f.Fuzz(func(t *testing.T, p, from, to string) {
		if p != "Kptfile" && p != "sub/Kptfile" {
			p = "a.yaml"
		}
		a, b := tree(t, files{p: from}), tree(t, files{p: to})
		if hasOddNames(a) || hasOddNames(b) {
			return
		}
		checkChangeLaws(t, a, b)
		checkTakenOver(t, a, b)
		checkChangeLaws(t, tree(t, files{p: from, "b.yaml": to}), tree(t, files{p: to}))
	})
}
