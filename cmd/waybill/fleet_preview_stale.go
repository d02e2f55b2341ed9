package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// warnOfStale warns of generated works of the side before that are not what rendering gives: clusters have those that are committed,
// and the preview compares those that were rendered. It warns of what works of the side after lost that rendering places anew, too.
func (s *previewSides) warnOfStale(before, after, was, is pkgtree.Tree) error {
	held := generatedWorks(before)
	s.stale = s.staleWorks(worksBeside(held, before, was), before, was)
	if !slices.ContainsFunc(held, func(p string) bool { return !equal(before.Blob(p), after.Blob(p)) }) {
		return nil // what clusters have is there
	}
	lost, err := lostByHand(before, after, is)
	if err != nil || len(lost) == 0 {
		return err
	}
	s.stale = append(s.stale, safetext.Visible(fmt.Sprintf("warning: after, %s: %d objects were removed by hand from generated works, and the "+
		"next render places them anew: %s for one; both sides are rendered here: --no-render compares what is committed",
		s.after, len(lost), lost[0])))
	return nil
}

// staleWorks is a warning about the works that are others once they are rendered, if there are any.
func (s *previewSides) staleWorks(works []string, before, was pkgtree.Tree) []string {
	count, first := 0, ""
	for _, p := range works {
		if equal(before.Blob(p), was.Blob(p)) {
			continue
		}
		if count++; first == "" || p < first {
			first = p
		}
	}
	if count == 0 {
		return nil
	}
	return []string{safetext.Visible(fmt.Sprintf("warning: before, %s: %d of %d generated works are not what this version of waybill renders "+
		"from the package, %s for one; both sides are rendered anew here: --no-render compares what is committed",
		s.before, count, len(works), first))}
}

// lostByHand are objects of clusters that the side before has, the side after has not, and rendering that one gives again.
func lostByHand(before, after, rendered pkgtree.Tree) (lost []string, err error) {
	was, err := fleet.Read(before, nil)
	if err != nil {
		return nil, fmt.Errorf("before, as committed: %w", err)
	}
	is, err := fleet.Read(after, was)
	if err != nil {
		return nil, fmt.Errorf("after, as committed: %w", err)
	}
	next, err := fleet.Read(rendered, is)
	if err != nil {
		return nil, err
	}
	gone, err := fleet.Compare(was, is)
	if err != nil {
		return nil, err
	}
	anew, err := fleet.Compare(is, next)
	if err != nil {
		return nil, err
	}
	added := map[string]bool{}
	for _, c := range anew.Changes {
		if c.Kind() == merge.Added {
			added[c.Cluster()+": "+c.ID.String()] = true
		}
	}
	for _, c := range gone.Changes {
		if at := c.Cluster() + ": " + c.ID.String(); c.Kind() == merge.Removed && !c.Before.Itself && added[at] {
			lost = append(lost, at)
		}
	}
	return lost, nil
}

// worksBeside are works and those that rendering makes beside them, in packages that hold some. Other packages were never rendered.
func worksBeside(works []string, given, rendered pkgtree.Tree) []string {
	packages := map[string]bool{}
	for _, p := range works {
		packages[given.PackageOf(p)] = true
	}
	for _, p := range generatedWorks(rendered) {
		if b := given.Blob(p); packages[given.PackageOf(p)] && (b == nil || !isGeneratedWork(b)) {
			works = append(works, p)
		}
	}
	return works
}

func equal(a, b *pkgtree.Blob) bool { return a == b || a != nil && b != nil && a.Equal(b) }

// generatedWorks are the files that speak of a work and of a function that generated it.
func generatedWorks(tree pkgtree.Tree) (out []string) {
	for p, b := range tree.All() {
		if isGeneratedWork(b) {
			out = append(out, p)
		}
	}
	return out
}

// isGeneratedWork reports whether a file speaks of a work and of a function that generated it.
func isGeneratedWork(b *pkgtree.Blob) bool {
	return bytes.Contains(b.Data(), []byte(manifestwork.Kind)) && bytes.Contains(b.Data(), []byte(fn.GeneratedBy))
}
