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
	case p.dir != ".":
		return nil, usage("--dir is for commits and the work tree, and --filename for PackageVariants: give one of them")
	case p.noRender:
		return nil, usage("--no-render: what --filename drafts is rendered always")
	}
	s := &previewSides{name: "fleet", before: "published", after: "drafts", rendered: !whatIf}
	s.read = func(_ context.Context) (before, after pkgtree.Tree, err error) {
		seen, err := p.foresee(cmd, more, s)
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

// foresee is what reconciling would come to. What fails in some variants is told, and trouble of the sides.
func (p *fleetPreview) foresee(cmd *cobra.Command, more []string, s *previewSides) (seen packagevariant.Foresight, err error) {
	r := reconcile{files: append(p.files, more...), functions: p.functions, dryRun: true, exitCode: p.exitCode}
	functions, err := r.functions.factory()
	if err != nil {
		return seen, err
	}
	in, err := r.read(cmd)
	if err != nil {
		return seen, err
	}
	ctx := cmd.Context()
	repos := in.Repositories(nil)
	out := passed{sets: in.Expand(ctx, repos)}
	turn, done := progressOf(cmd.ErrOrStderr(), in.Variants)
	seen, err = r.reconciler(in, repos, functions).Foresee(ctx, in.Variants, turn)
	done()
	out.variants = seen.Reports
	r.complain(cmd.ErrOrStderr(), out)
	s.trouble = r.trouble(out)
	return seen, err
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
