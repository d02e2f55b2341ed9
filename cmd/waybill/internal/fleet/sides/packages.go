package sides

import (
	"context"
	"maps"
	"path"

	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// packages are the topmost packages of a tree; none if its root is one.
type packages struct {
	tree    pkgtree.Tree
	folders []string
	trees   []pkgtree.Tree
	keys    render.Keys
}

// packagesOf finds the packages in tree, and fetches what the cache has of them.
func packagesOf(ctx context.Context, tree pkgtree.Tree, opts render.Options) packages {
	p := packages{tree: tree}
	if p.isOne() {
		return p
	}
	p.folders = whatif.TopPackages(tree)
	p.trees = make([]pkgtree.Tree, len(p.folders))
	for i, dir := range p.folders {
		p.trees[i] = tree.Sub(dir)
	}
	p.keys = render.Prefetch(ctx, opts, p.trees)
	return p
}

func (p packages) isOne() bool { return p.tree.Blob(kptfile.Name) != nil }

// render is RenderPackages for the tree of p.
func (p packages) render(ctx context.Context, opts render.Options, each func(string, *render.Result)) (pkgtree.Tree, error) {
	if p.isOne() {
		result, err := renderPackage(ctx, p.tree, opts)
		if err != nil {
			return p.tree, err
		}
		each("", result)
		return result.Tree, nil
	}
	defer p.keys.Pack(opts)
	blobs := maps.Collect(p.tree.All())
	for i, dir := range p.folders {
		opts.Name, opts.Key = path.Base(dir), p.keys.Of(i)
		result, err := renderPackage(ctx, p.trees[i], opts)
		if err != nil {
			return p.tree, err
		}
		each(dir, result)
		for q := range p.trees[i].All() {
			delete(blobs, path.Join(dir, q))
		}
		for q, b := range result.Tree.All() {
			blobs[path.Join(dir, q)] = b
		}
	}
	return pkgtree.FromBlobs(blobs)
}
