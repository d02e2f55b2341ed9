package main

import (
	"bytes"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/fleet"
	shown "github.com/waybill-dev/waybill/pkg/fleet/inert"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// warnOfStale warns of generated works that are not what rendering gives: clusters get those that are committed, and the preview compares
// those that were rendered. Works of the side before that the side after still has are not rendered yet, which is no reason to warn
// of the side after; nor is any work that is there where a what if changes what rendering gives.
func (s *previewSides) warnOfStale(before, after, was, is pkgtree.Tree, whatIf bool) {
	held := generatedWorks(before)
	s.stale = staleWorks("before, "+s.before, "are", worksBeside(held, before, was), func(p string) bool {
		return equal(before.Blob(p), was.Blob(p))
	})
	then := append(generatedWorks(after), missing(held, after)...)
	s.stale = append(s.stale, staleWorks("after, "+s.after, "were changed or removed by hand, and are", then, func(p string) bool {
		there := after.Blob(p)
		return equal(there, is.Blob(p)) || equal(there, before.Blob(p)) || whatIf && there != nil
	})...)
}

// staleWorks is a warning about the works that are not right, if there are any.
func staleWorks(side, what string, works []string, right func(path string) bool) []string {
	count, first := 0, ""
	for _, p := range works {
		if right(p) {
			continue
		}
		if count++; first == "" || p < first {
			first = p
		}
	}
	if count == 0 {
		return nil
	}
	return []string{shown.Text(fmt.Sprintf("warning: %s: %d of %d generated works %s not what this version of waybill renders "+
		"from the package, %s for one; both sides are rendered anew here: --no-render compares what is committed",
		side, count, len(works), what, first))}
}

// worksBeside are works and those that rendering makes beside them, in packages that hold some. Other packages were never rendered.
func worksBeside(works []string, given, rendered pkgtree.Tree) []string {
	packages := map[string]bool{}
	for _, p := range works {
		packages[given.PackageOf(p)] = true
	}
	for _, p := range missing(generatedWorks(rendered), given) {
		if packages[given.PackageOf(p)] {
			works = append(works, p)
		}
	}
	return works
}

// missing are the paths that tree does not have.
func missing(paths []string, tree pkgtree.Tree) (out []string) {
	for _, p := range paths {
		if tree.Blob(p) == nil {
			out = append(out, p)
		}
	}
	return out
}

func equal(a, b *pkgtree.Blob) bool { return a == b || a != nil && b != nil && a.Equal(b) }

// generatedWorks are the files that speak of a work and of a function that generated it.
func generatedWorks(tree pkgtree.Tree) (out []string) {
	for p, b := range tree.All() {
		if bytes.Contains(b.Data(), []byte(fleet.WorkKind)) && bytes.Contains(b.Data(), []byte(fn.GeneratedBy)) {
			out = append(out, p)
		}
	}
	return out
}
