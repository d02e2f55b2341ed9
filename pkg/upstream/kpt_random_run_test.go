package upstream_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// run gets, edits and updates, and returns the differences after each step, and the rows of the page.
func (tr *randomTriple) run(t testing.TB) (said string, rows []string) {
	t.Helper()
	d := newPair(t, openRepositories(t, tr.archive(t), false))
	kpt, ours := d.get(t, "repo.git/web@v1", "--strategy="+string(tr.strategy))
	if said, rows, more := d.outcome(t, "get", kpt, ours); !more {
		return said, rows
	}
	d.edit(t, func(dir string) { tr.editFolder(t, d.repositories, dir) })
	for _, ref := range tr.updates {
		kpt, ours = d.update(t, ".", ref, tr.strategy)
		said, r, more := d.outcome(t, "update to "+ref, kpt, ours)
		rows = append(rows, r...)
		if !more || slices.ContainsFunc(r, func(row string) bool { return slices.Contains(twoWays, row) }) {
			return said, rows
		}
	}
	return "", rows
}

// outcome returns the differences after a step, and whether the run goes on.
func (d *pair) outcome(t testing.TB, step string, kpt, ours error) (said string, rows []string, more bool) {
	t.Helper()
	switch {
	case kpt != nil && ours != nil:
		return "", []string{"(both refuse)"}, false
	case kpt != nil:
		d.after = readFolder(t, d.dirs()[1])
		for row, holds := range refusals {
			if holds(d, kpt) {
				return "", []string{row}, false
			}
		}
		fallthrough
	case ours != nil:
		return fmt.Sprintf("%s: one refuses: kpt: %v; waybill: %v", step, kpt, ours), nil, false
	}
	diff, rows := d.compare(t)
	if diff != "" {
		said = fmt.Sprintf("after %s (-kpt +waybill):\n%s", step, diff)
	}
	return said, rows, diff == ""
}

// editFolder does here what is to be done here.
func (tr *randomTriple) editFolder(t testing.TB, s *repositories, dir string) {
	t.Helper()
	before := readTree(t, dir)
	files := map[string]string{}
	for p, b := range before.All() {
		files[p] = string(b.Data())
	}
	for _, e := range tr.ours {
		e.apply(t, files)
	}
	changes := map[string][]byte{}
	for p := range before.All() {
		changes[p] = nil
	}
	for p, text := range files {
		changes[p] = []byte(s.text(text))
	}
	after, err := before.Apply(changes)
	if err != nil {
		t.Fatal(err)
	}
	putTree(t, dir, before, after)
	for p := range before.All() { // kpt's own folders go, too
		if i := strings.LastIndexByte(p, '/'); i > 0 {
			_ = os.Remove(filepath.Join(dir, p[:i]))
		}
	}
}

// least removes edits and updates that the difference does not need, one after the other.
func (tr *randomTriple) least(t testing.TB, said string) (*randomTriple, string) {
	t.Helper()
	least := *tr
	try := func(change func(tr *randomTriple)) bool {
		next := least
		change(&next)
		s, _ := next.run(t)
		if s != "" {
			least, said = next, s
		}
		return s != ""
	}
	for _, of := range []func(tr *randomTriple) *[]randomEdit{
		func(tr *randomTriple) *[]randomEdit { return &tr.theirs },
		func(tr *randomTriple) *[]randomEdit { return &tr.moves },
		func(tr *randomTriple) *[]randomEdit { return &tr.ours },
	} {
		for i := len(*of(&least)) - 1; i >= 0; i-- {
			try(func(tr *randomTriple) { *of(tr) = slices.Delete(slices.Clone(*of(tr)), i, i+1) })
		}
	}
	try(func(tr *randomTriple) { tr.updates = tr.updates[:1] })
	return &least, said
}
