package reconciler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// local is a published package that is upgraded.
type local struct {
	tree    pkgtree.Tree
	foreign bool // others wrote in it
}

// upgrade brings local from the upstream it was made of to a newer one. What was made of the old
// upstream is made anew, and local is brought to what the variant wants now, so that only a real
// edit of local looks like one.
func (b *builder) upgrade(ctx context.Context, from, to source, local local) (pkgtree.Tree, error) {
	from.lock = to.lock // the lock is upstream's to move, on all three sides
	base, err := b.start(from)
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("make the present upstream anew: %w", err)
	}
	theirs, err := b.start(to)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	ours, err := b.adapt(to.lock, local)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	if err := upstream.CheckEmptied(base, theirs, ours); err != nil {
		return pkgtree.Tree{}, fmt.Errorf("upstream %s: %w", to.name, err)
	}
	var rendered []pkgtree.Tree
	merged, err := upstream.MergeRendered(ctx, base, theirs, ours, merge.Options{Prefer: merge.Fail}, b.remember(&rendered))
	if err != nil {
		return pkgtree.Tree{}, cannotMerge(err)
	}
	if len(merged.Conflicts) > 0 {
		return pkgtree.Tree{}, conflictError(to.lock.Ref, merged.Conflicts)
	}
	tree, err := b.mutate(merged.Tree, true) // for what is new
	if err != nil || slices.ContainsFunc(rendered, func(r pkgtree.Tree) bool { return sameButMarks(r, tree) }) {
		return tree, err
	}
	return b.render(ctx, tree)
}

// remember renders, and adds to done what comes of it: where nothing was edited, that is the whole upgrade.
func (b *builder) remember(done *[]pkgtree.Tree) upstream.Render {
	return func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
		out, err := b.render(ctx, tree)
		if err == nil {
			*done = append(*done, out)
		}
		return out, err
	}
}

// sameButMarks reports whether b is a, but for the merge marks of the package context, which only the sides
// of a merge have.
func sameButMarks(a, b pkgtree.Tree) bool {
	diff := a.Diff(b)
	if len(diff) == 0 || !slices.Equal(diff, []string{upstream.ContextFile}) {
		return len(diff) == 0
	}
	marked, plain := a.Blob(upstream.ContextFile), b.Blob(upstream.ContextFile)
	if marked == nil || plain == nil {
		return false
	}
	alone, err := pkgtree.FromBlobs(map[string]*pkgtree.Blob{upstream.ContextFile: plain})
	return err == nil && merge.AddMarks(alone).Blob(upstream.ContextFile).Equal(marked)
}

// start is where one side of a merge starts from: an upstream package with what the variant puts into it,
// but for its functions, which are of no concern to upstream: ours has them, and they run on all sides.
func (b *builder) start(up source) (pkgtree.Tree, error) {
	pv := *b.pv
	pv.Spec.Pipeline = nil
	return b.copyOf(up, &pv)
}

// cannotMerge is err in the words of one who has no other way to merge.
func cannotMerge(err error) error {
	var failed *upstream.RenderError
	switch {
	case !errors.As(err, &failed):
		return err
	case failed.Side == upstream.RecordedUpstream:
		return fmt.Errorf("make the present upstream anew: %w; the revision in use does not render with what the variant injects now: "+
			"change that back, publish the upgrade, and change it again", failed.Err)
	}
	return failed.Err
}

// adapt brings a published package to what the variant wants now, but for its upstream.
func (b *builder) adapt(lock kptfilev1.GitLock, local local) (pkgtree.Tree, error) {
	tree, err := variant.SetUpstream(local.tree, b.pv.Spec.Downstream.Package, lock)
	if err == nil {
		tree, err = upstream.KeepOrigin(local.tree, tree)
	}
	if err == nil {
		tree, err = variant.SetMetadata(tree, b.pv.Spec.Labels, b.pv.Spec.Annotations)
	}
	if err == nil {
		tree, err = b.mutate(tree, !local.foreign)
	}
	return tree, err // the merge renders it, as it does the other sides
}

// mostNamed is how many conflicts an error names; nobody settles more at a time.
const mostNamed = 10

func conflictError(ref string, conflicts []merge.Conflict) error {
	var named []string
	for _, c := range conflicts[:min(len(conflicts), mostNamed)] {
		named = append(named, c.String())
	}
	if more := len(conflicts) - mostNamed; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("upgrade to %s conflicts with local edits, and nothing was changed: %s; make the files "+
		"agree with either side in a draft of your own, publish it, and reconcile again with spec.adoptionPolicy %q",
		ref, strings.Join(named, "; "), porchconfig.AdoptExisting)
}
