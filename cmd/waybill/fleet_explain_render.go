package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/explain"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// world reads and renders what is in the folder.
func (e *fleetExplain) world(ctx context.Context) (*explain.Snapshot, error) {
	change, err := untilEnd(ctx, e.whatIf.read)
	if err != nil {
		return nil, err
	}
	side, err := folderSides(e.dir, e.dir)
	if err != nil {
		return nil, err
	}
	tree, err := readSide(e.dir)
	if err != nil {
		return nil, err
	}
	tree, lines, err := change.Apply(tree)
	if err != nil {
		return nil, err
	}
	packages, rendered, err := e.render(ctx, tree, side.name)
	if err != nil {
		return nil, err
	}
	return explain.NewSnapshot(side.root, rendered, lines, packages)
}

// render renders the package that is the tree or, if it is none, those in it, and keeps what there was on the way.
func (e *fleetExplain) render(
	ctx context.Context, tree pkgtree.Tree, name string,
) (packages []explain.Package, rendered pkgtree.Tree, err error) {
	factory, err := e.functions.factory()
	if err != nil {
		return nil, tree, err
	}
	opts := render.Options{Functions: factory, Trace: true, Parsed: &krm.Parsed{}}
	folders := topmost(tree)
	if tree.Blob(kptfile.Name) != nil {
		folders = []string{""}
	}
	if len(folders) == 0 {
		return nil, tree, fmt.Errorf("there is no package in %s: no %s", filepath.ToSlash(e.dir), kptfile.Name)
	}
	parts := map[string]pkgtree.Tree{}
	for _, folder := range folders {
		part := tree
		if opts.Name = name; folder != "" {
			part, opts.Name = tree.Sub(folder), path.Base(folder)
		}
		result, err := render.Render(ctx, part, opts)
		if err != nil {
			return nil, tree, namedAfterPackage(err, opts.Name)
		}
		packages, parts[folder] = append(packages, explain.Package{Folder: folder, Result: result}), result.Tree
	}
	rendered, err = replaced(tree, parts)
	return packages, rendered, err
}

// namedAfterPackage says which package could not be rendered, where the error does not.
func namedAfterPackage(err error, name string) error {
	var placed *render.Error
	if errors.As(err, &placed) {
		return err
	}
	return fmt.Errorf("render package %q: %w", name, err)
}

// replaced is tree with parts in the place of its folders of these names.
func replaced(tree pkgtree.Tree, parts map[string]pkgtree.Tree) (pkgtree.Tree, error) {
	if whole, ok := parts[""]; ok {
		return whole, nil
	}
	blobs := map[string]*pkgtree.Blob{}
	for p, b := range tree.All() {
		if !inAny(p, parts) {
			blobs[p] = b
		}
	}
	for folder, part := range parts {
		for p, b := range part.All() {
			blobs[path.Join(folder, p)] = b
		}
	}
	return pkgtree.FromBlobs(blobs)
}

func inAny(file string, folders map[string]pkgtree.Tree) bool {
	for folder := range folders {
		if strings.HasPrefix(file, folder+"/") {
			return true
		}
	}
	return false
}
