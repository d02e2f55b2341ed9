package sides

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"
	"sync"

	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// renderBoth renders both sides at the same time. What was the same before is rendered once.
func (f *Flags) renderBoth(ctx context.Context, s *Sides, before, after pkgtree.Tree) (pkgtree.Tree, pkgtree.Tree, error) {
	if f.NoRender || s.Rendered {
		return before, after, nil
	}
	factory, err := f.Functions.NewFactory()
	if err != nil {
		return before, after, err
	}
	r := renderer{factory: factory, name: s.Name, parsed: &krm.Parsed{}}
	if f.Functions.Cache != nil {
		r.memory = f.Functions.Cache
	}
	after = sharing(before, after)
	if before.Equal(after) {
		before, err = r.render(ctx, before)
		if err != nil {
			err = fmt.Errorf("%s: %w", s.Before, orPointer(err, before))
		}
		return before, before, err
	}
	var was, is pkgtree.Tree
	var errBefore, errAfter error
	var both sync.WaitGroup
	both.Go(func() { was, errBefore = r.render(ctx, before) })
	both.Go(func() { is, errAfter = r.render(ctx, after) })
	both.Wait()
	switch {
	case errAfter != nil:
		return was, is, fmt.Errorf("after, %s: %w", s.After, orPointer(errAfter, after))
	case errBefore != nil:
		return was, is, fmt.Errorf("before, %s: %w", s.Before, orPointer(errBefore, before))
	}
	return was, sharing(was, is), nil
}

// orPointer says so if a side that could not be rendered has pointers in the place of files.
func orPointer(err error, tree pkgtree.Tree) error {
	for p, b := range tree.All() {
		if commits.IsPointer(b.Data()) {
			return fmt.Errorf("%w; %q is a pointer of Git LFS, and commits hold no more: compare folders, or HEAD and the work tree, "+
				"where 'git lfs pull' was run", err, p)
		}
	}
	return err
}

// sharing is tree with the blobs of like where they hold the same, so that memory holds these once.
func sharing(like, tree pkgtree.Tree) pkgtree.Tree {
	blobs := make(map[string]*pkgtree.Blob, tree.Len())
	for p, b := range tree.All() {
		if old := like.Blob(p); old != nil && old.Equal(b) {
			b = old
		}
		blobs[p] = b
	}
	shared, err := pkgtree.FromBlobs(blobs)
	if err != nil { // the names are those of a tree
		return tree
	}
	return shared
}

// renderer renders sides.
type renderer struct {
	factory runner.Factory
	memory  render.Memory
	parsed  *krm.Parsed
	name    string
}

// render renders the package that is the tree or, if it is none, those in it.
func (r *renderer) render(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
	if tree.Blob(kptfile.Name) != nil {
		return r.one(ctx, tree, r.name)
	}
	blobs := maps.Collect(tree.All())
	for _, dir := range TopPackages(tree) {
		out, err := r.one(ctx, tree.Sub(dir), path.Base(dir))
		if err != nil {
			return tree, err
		}
		maps.DeleteFunc(blobs, func(p string, _ *pkgtree.Blob) bool { return strings.HasPrefix(p, dir+"/") })
		for p, b := range out.All() {
			blobs[path.Join(dir, p)] = b
		}
	}
	return pkgtree.FromBlobs(blobs)
}

func (r *renderer) one(ctx context.Context, tree pkgtree.Tree, name string) (pkgtree.Tree, error) {
	result, err := render.Render(ctx, tree, render.Options{Functions: r.factory, Name: name, Memory: r.memory, Parsed: r.parsed})
	if err == nil {
		return result.Tree, nil
	}
	var placed *render.Error
	if !errors.As(err, &placed) {
		err = fmt.Errorf("render package %q: %w", name, err)
	}
	return tree, err
}

// TopPackages are the folders of packages that lie in no other, sorted.
func TopPackages(tree pkgtree.Tree) (out []string) {
	for _, p := range tree.Paths() {
		if path.Base(p) == kptfile.Name && !inPackage(tree, path.Dir(p)) {
			out = append(out, path.Dir(p))
		}
	}
	return out
}

// inPackage reports whether the folder lies in a package.
func inPackage(tree pkgtree.Tree, dir string) bool {
	for dir != "." {
		dir = path.Dir(dir)
		if tree.Blob(path.Join(dir, kptfile.Name)) != nil {
			return true
		}
	}
	return false
}
