package main

import (
	"context"
	"path"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// variantSides are what is published in the repositories downstream of PackageVariants, and what would be if all that
// they want were approved. Drafts are rendered, so both sides are, but for what is to be changed in them.
func (p *fleetPreview) variantSides(cmd *cobra.Command, more []string, whatIf bool) (*previewSides, error) {
	switch {
	case p.from.dir != ".":
		return nil, usage("--dir is for commits and the work tree, and --filename for PackageVariants: give one of them")
	case p.from.noRender:
		return nil, usage("--no-render: what --filename drafts is rendered always")
	}
	s := &previewSides{name: "fleet", before: "published", after: "drafts", rendered: !whatIf}
	s.read = func(_ context.Context) (before, after pkgtree.Tree, err error) {
		var seen packagevariant.Foresight
		seen, s.trouble, err = foreseeVariants(cmd, reconcileOptions{
			files: append(p.files, more...), functions: p.from.functions, exitCode: p.exitCode,
		})
		if err == nil {
			before, err = treeOf(seen.Published)
		}
		if err == nil {
			after, err = treeOf(seen.Wanted)
		}
		return before, after, err
	}
	return s, nil
}

// treeOf is packages in folders that say whose they are.
func treeOf(packages []packagevariant.Package) (pkgtree.Tree, error) {
	blobs := map[string]*pkgtree.Blob{}
	for _, p := range packages {
		dir := path.Join(local.Key{Namespace: p.Namespace, Name: p.Repository}.String(), p.Path)
		for file, b := range p.Content.All() {
			blobs[path.Join(dir, file)] = b
		}
	}
	return pkgtree.FromBlobs(blobs)
}
