package sides

import (
	"context"
	"errors"
	"fmt"
	"sync"

	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// renderBoth renders both sides concurrently, or once if they are equal.
func (f *Flags) renderBoth(ctx context.Context, s *Sides, before, after pkgtree.Tree) (pkgtree.Tree, pkgtree.Tree, error) {
	if f.NoRender || s.Rendered {
		return before, after, nil
	}
	factory, err := f.Functions.NewFactory()
	if err != nil {
		return before, after, err
	}
	opts := render.Options{Functions: factory, Name: s.Name, Parsed: &krm.Parsed{}, Cache: f.Functions.RenderCache()}
	progress := NewRendering(s.Progress)
	render := func(p packages, observe func(render.Event)) (pkgtree.Tree, error) {
		opts := opts
		opts.Observe = observe
		return p.render(ctx, opts, func(string, *render.Result) {})
	}
	after = shareBlobs(before, after)
	if before.Equal(after) {
		rendered, err := render(packagesOf(ctx, before, opts), progress.Watch("", before))
		if err != nil {
			err = fmt.Errorf("%s: %w", s.Before, withPointerHint(err, before))
		}
		return rendered, rendered, err
	}
	var was, is pkgtree.Tree
	var errBefore, errAfter error
	var both sync.WaitGroup
	watchBefore, watchAfter := progress.Watch("before", before), progress.Watch("after", after)
	old, changed := packagesOf(ctx, before, opts), packagesOf(ctx, after, opts) // what both have is fetched once
	both.Go(func() { was, errBefore = render(old, watchBefore) })
	both.Go(func() { is, errAfter = render(changed, watchAfter) })
	both.Wait()
	switch {
	case errAfter != nil:
		return was, is, fmt.Errorf("after, %s: %w", s.After, withPointerHint(errAfter, after))
	case errBefore != nil:
		return was, is, fmt.Errorf("before, %s: %w", s.Before, withPointerHint(errBefore, before))
	}
	return was, shareBlobs(was, is), nil
}

// withPointerHint extends err if tree has Git LFS pointers in place of files.
func withPointerHint(err error, tree pkgtree.Tree) error {
	for p, b := range tree.All() {
		if commits.IsPointer(b.Data()) {
			return fmt.Errorf("%w; %q is a pointer of Git LFS, as commits hold only pointers: run 'git lfs pull', and "+
				"compare folders, or HEAD and the work tree", err, p)
		}
	}
	return err
}

// shareBlobs returns tree with the equal blobs of like, so that memory holds them once.
func shareBlobs(like, tree pkgtree.Tree) pkgtree.Tree {
	blobs := make(map[string]*pkgtree.Blob, tree.Len())
	for p, b := range tree.All() {
		if old := like.Blob(p); old != nil && old.Equal(b) {
			b = old
		}
		blobs[p] = b
	}
	shared, err := pkgtree.FromBlobs(blobs)
	if err != nil { // cannot happen: the names come from a tree
		return tree
	}
	return shared
}

// RenderPackages renders the package in tree or, if the root is none, all topmost packages. It calls each with every result,
// and returns tree with the results in place.
func RenderPackages(
	ctx context.Context, tree pkgtree.Tree, opts render.Options, each func(folder string, result *render.Result),
) (pkgtree.Tree, error) {
	return packagesOf(ctx, tree, opts).render(ctx, opts, each)
}

func renderPackage(ctx context.Context, tree pkgtree.Tree, opts render.Options) (*render.Result, error) {
	result, err := render.Render(ctx, tree, opts)
	var named *render.Error
	if err != nil && !errors.As(err, &named) {
		err = fmt.Errorf("render package %q: %w", opts.Name, err)
	}
	return result, err
}
