package diff

import (
	"maps"
	"slices"
	"testing"

	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
)

// FuzzChanges: any two files compare, in their place and with an object on its way to another file; the
// laws hold.
func FuzzChanges(f *testing.F) {
	for _, g := range mergetest.Goldens(f, "../testdata") {
		for p := range g.Ours.All() {
			base, theirs, ours := g.VersionsOf(p)
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
		a, b := mergetest.Tree(t, files{p: from}), mergetest.Tree(t, files{p: to})
		if mergetest.HasOddNames(a) || mergetest.HasOddNames(b) {
			return
		}
		checkChangeLaws(t, a, b)
		checkTakenOver(t, a, b)
		checkChangeLaws(t, mergetest.Tree(t, files{p: from, "b.yaml": to}), mergetest.Tree(t, files{p: to}))
	})
}
