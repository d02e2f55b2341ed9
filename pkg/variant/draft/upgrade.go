package draft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/upstream"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Upgrade brings a published package from the upstream it was made of to a newer one. The copy of the old
// upstream is rebuilt, and the package is brought to what the variant wants now, so that only real
// edits are merged, as the package's upstream.updateStrategy says. edited says that others than the controller wrote in the package.
// by is the strategy of the merge.
func (b *Builder) Upgrade(ctx context.Context, from, to Source, local pkgtree.Tree, edited bool,
) (tree pkgtree.Tree, by merge.Strategy, err error) {
	strategy, err := variant.UpdateStrategy(local)
	if wanted := merge.Strategy(strategy); err == nil && wanted != "" && !wanted.Known() {
		err = fmt.Errorf("%s: upstream.updateStrategy: %w", kptfile.Name, merge.UnknownStrategy(wanted))
	}
	if err != nil {
		return pkgtree.Tree{}, "", err
	}
	from.Lock = to.Lock // the lock is upstream's to move, on all three sides
	base, err := b.side(from, strategy)
	if err != nil {
		return pkgtree.Tree{}, "", fmt.Errorf("rebuild the present upstream: %w", err)
	}
	theirs, err := b.side(to, strategy)
	if err != nil {
		return pkgtree.Tree{}, "", err
	}
	ours, err := b.adapt(to.Lock, local, edited)
	if err != nil {
		return pkgtree.Tree{}, "", err
	}
	if err := upstream.CheckEmptied(base, theirs, ours); err != nil {
		return pkgtree.Tree{}, "", fmt.Errorf("upstream %s: %w", to.Name, err)
	}
	opts := b.mergeOptions(merge.Strategy(strategy))
	merged, rendered, err := b.merge(ctx, base, theirs, ours, opts)
	if err != nil {
		return pkgtree.Tree{}, "", b.mergeError(err)
	}
	if opts.Prefer == merge.Fail && len(merged.Conflicts) > 0 {
		return pkgtree.Tree{}, "", b.conflictError(to.Lock.Ref, merged.Conflicts)
	}
	tree, err = b.Mutate(merged.Tree, true) // for what is new
	is := func(r pkgtree.Tree) bool { return equalButMarks(r, tree) }
	if err == nil && (RenderFailure(tree) != "" || !slices.ContainsFunc(rendered, is)) {
		tree, err = b.Render(ctx, tree)
	}
	return tree, cmp.Or(opts.Strategy, merge.ResourceMerge), err
}

// merge merges the rendered sides. rendered are those that were rendered: where nothing was edited, one of them is the whole
// upgrade. If one does not render and the package is kept nevertheless, the sides merge as they are.
func (b *Builder) merge(ctx context.Context, base, theirs, ours pkgtree.Tree, opts merge.Options) (
	merged *merge.Result, rendered []pkgtree.Tree, err error) {
	merged, err = upstream.MergeRendered(ctx, base, theirs, ours, opts, func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
		res, err := render.Render(ctx, tree, b.renderOptions())
		if err == nil {
			rendered = append(rendered, res.Tree)
		}
		return res.Tree, err
	})
	failed := new(upstream.RenderError)
	if !errors.As(err, &failed) || ctx.Err() != nil || !isKept(ours) {
		return merged, rendered, err
	}
	plain, conflicts := upstream.MergeRendered(ctx, base, theirs, ours, opts,
		func(_ context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) { return tree, nil })
	if conflicts != nil || opts.Prefer == merge.Fail && len(plain.Conflicts) > 0 {
		return nil, nil, err
	}
	return plain, nil, nil
}

// mergeOptions are those for the strategy in the Kptfile.
func (b *Builder) mergeOptions(strategy merge.Strategy) merge.Options {
	opts := merge.Options{Strategy: strategy, Prefer: merge.Fail}
	if b.ByUser != nil {
		opts = merge.Options{Strategy: cmp.Or(merge.Strategy(b.ByUser.Strategy), strategy), Prefer: b.ByUser.Prefer}
	}
	if opts.Strategy == merge.ForceDeleteReplace || opts.Strategy == merge.CopyMerge {
		opts.Prefer = "" // upstream's files replace what was edited
	}
	return opts
}

// equalButMarks reports whether b is a, but for the merge marks of the package context, which only the sides
// of a merge have.
func equalButMarks(a, b pkgtree.Tree) bool {
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

// side makes one upstream side of a merge: an upstream package with what the variant puts into it,
// except its functions, which do not concern upstream: the local side has them, and they run on all sides.
func (b *Builder) side(up Source, strategy kptfilev1.UpdateStrategyType) (pkgtree.Tree, error) {
	pv := *b.Variant
	pv.Spec.Pipeline = nil
	return b.copyOf(up, &pv, strategy)
}

// mergeError replaces the text of package upstream, which offers other ways to merge.
func (b *Builder) mergeError(err error) error {
	var failed *upstream.RenderError
	var edited *merge.ModifiedError
	switch {
	case errors.As(err, &edited) && b.ByUser != nil:
		return fmt.Errorf("the package was edited, and the strategy is fast-forward: %s; use --strategy resource-merge, or undo the edits",
			firstOf(edited.Paths))
	case errors.As(err, &edited):
		return fmt.Errorf("the package was edited, and upstream.updateStrategy of its Kptfile is fast-forward: %s; "+
			"choose resource-merge there, or undo the edits", firstOf(edited.Paths))
	case !errors.As(err, &failed):
		return err
	case failed.Side == upstream.RecordedUpstream:
		return fmt.Errorf("rebuild the present upstream: %w; the revision in use does not render with what the variant injects now: "+
			"change that back, publish the upgrade, and change it again", failed.Err)
	}
	return failed.Err
}

// adapt brings a published package to what the variant wants now, but for its upstream. The merge renders it.
func (b *Builder) adapt(lock kptfilev1.GitLock, local pkgtree.Tree, edited bool) (pkgtree.Tree, error) {
	tree, err := variant.SetUpstream(local, lock)
	if err == nil {
		tree, err = upstream.KeepOrigin(local, tree)
	}
	if err == nil {
		tree, err = b.SetMetadata(tree)
	}
	if err == nil {
		tree, err = b.Mutate(tree, !edited)
	}
	return tree, err
}

// maxNamed is how many conflicts or files an error names.
const maxNamed = 10

// firstOf lists the first of the names, and counts the others.
func firstOf[T any](names []T) string {
	var named []string
	for _, name := range names[:min(len(names), maxNamed)] {
		named = append(named, fmt.Sprint(name))
	}
	if more := len(names) - maxNamed; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(named, "; ")
}

func (b *Builder) conflictError(ref string, conflicts []merge.Conflict) error {
	if b.ByUser != nil {
		return fmt.Errorf("upgrade to %s conflicts with local edits, and nothing was changed: %s; use --on-conflict local or "+
			"--on-conflict upstream, or publish a revision whose files agree with either side, and upgrade that", ref, firstOf(conflicts))
	}
	return fmt.Errorf("upgrade to %s conflicts with local edits, and nothing was changed: %s; make the files "+
		"agree with either side in a draft of your own, publish it, and reconcile again with spec.adoptionPolicy %q",
		ref, firstOf(conflicts), porchconfig.AdoptExisting)
}
