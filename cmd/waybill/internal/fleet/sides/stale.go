package sides

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// warnOfStale warns of generated works of the first side that differ from what rendering gives, as clusters hold the
// committed ones and the preview compares rendered ones. It also warns of objects that the second side lost and rendering
// restores.
func (s *Sides) warnOfStale(before, after, was, is pkgtree.Tree) error {
	works := generatedWorks(before)
	s.Stale = s.staleWorks(addRenderedWorks(works, before, was), before, was)
	if !slices.ContainsFunc(works, func(p string) bool { return !equal(before.Blob(p), after.Blob(p)) }) {
		return nil // clusters hold these works
	}
	if before.Equal(was) && after.Equal(is) {
		return nil // rendering restores nothing
	}
	lost, err := lostByHand(before, after, is)
	if err != nil || len(lost) == 0 {
		return err
	}
	s.Stale = append(s.Stale, safetext.Visible(fmt.Sprintf(
		"warning: after, %s: %d objects were removed by hand from generated works, and the "+
			"next render adds them again, for example %s; both sides are rendered here: --no-render compares the committed works",
		s.After, len(lost), lost[0])))
	return nil
}

// staleWorks returns a warning about works that differ once they are rendered.
func (s *Sides) staleWorks(works []string, before, was pkgtree.Tree) []string {
	stale := slices.DeleteFunc(slices.Clone(works), func(p string) bool { return equal(before.Blob(p), was.Blob(p)) })
	if len(stale) == 0 {
		return nil
	}
	return []string{safetext.Visible(fmt.Sprintf("warning: before, %s: %d of %d generated works differ from what this version of waybill "+
		"renders from the package, for example %s; both sides are rendered here: --no-render compares the committed works",
		s.Before, len(stale), len(works), slices.Min(stale)))}
}

// lostByHand returns objects of clusters that the second side removed and rendering restores.
func lostByHand(before, after, rendered pkgtree.Tree) (lost []string, err error) {
	removed, err := (&Sides{Before: "as committed", After: "as committed"}).Compare(before, after)
	if err != nil {
		return nil, err
	}
	next, err := fleet.Read(rendered, removed.After)
	if err != nil {
		return nil, err
	}
	restored, err := fleet.Compare(removed.After, next)
	if err != nil {
		return nil, err
	}
	added := map[string]bool{}
	for _, c := range restored.Changes {
		if c.Kind() == diff.Added {
			added[c.Cluster()+": "+c.ID.String()] = true
		}
	}
	for _, c := range removed.Changes {
		if at := c.Cluster() + ": " + c.ID.String(); c.Kind() == diff.Removed && !c.Before.Itself && added[at] {
			lost = append(lost, at)
		}
	}
	return lost, nil
}

// addRenderedWorks adds to works those that rendering adds, in packages that hold some already. Other packages were never
// rendered.
func addRenderedWorks(works []string, given, rendered pkgtree.Tree) []string {
	packages := map[string]bool{}
	for _, p := range works {
		packages[given.PackageOf(p)] = true
	}
	for p, b := range rendered.All() {
		old := given.Blob(p)
		if b != old && packages[given.PackageOf(p)] && isGeneratedWork(b) && (old == nil || !isGeneratedWork(old)) {
			works = append(works, p)
		}
	}
	return works
}

func equal(a, b *pkgtree.Blob) bool { return a == b || a != nil && b != nil && a.Equal(b) }

// generatedWorks returns the files with generated works.
func generatedWorks(tree pkgtree.Tree) (out []string) {
	files := tree.Paths()
	generated := make([]bool, len(files))
	parallel.For(len(files), func(i int) { generated[i] = isGeneratedWork(tree.Blob(files[i])) })
	for i, p := range files {
		if generated[i] {
			out = append(out, p)
		}
	}
	return out
}

// isGeneratedWork reports whether a file mentions a work and the annotation of generated objects.
func isGeneratedWork(b *pkgtree.Blob) (yes bool) {
	b.View(func(data []byte) {
		yes = bytes.Contains(data, []byte(manifestwork.Kind)) && bytes.Contains(data, []byte(fn.GeneratedBy))
	})
	return yes
}
