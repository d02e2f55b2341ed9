package preview

import (
	"context"
	"path"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/sides"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/reconcile"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// sides returns what to compare. For PackageVariants that is what is published in their downstream repositories, and what
// these would hold after a user approved all drafts. Drafts are rendered already; with what-if flags both sides are
// rendered again.
func (p *command) sides(cmd *cobra.Command, args []string, whatIf bool) (*sides.Sides, error) {
	switch {
	case len(p.files) == 0:
		return p.from.Find(cmd.Context(), args, whatIf)
	case p.from.Dir != ".":
		return nil, cli.Usagef("--dir is for commits and the work tree, --filename is for PackageVariants: use one of them")
	case p.from.NoRender:
		return nil, cli.Usagef("--no-render: the drafts of --filename are always rendered")
	}
	s := &sides.Sides{Name: "fleet", Before: "published", After: "drafts", Rendered: !whatIf}
	s.Read = func(_ context.Context) (before, after pkgtree.Tree, err error) {
		var foresight reconciler.Preview
		foresight, s.Failed, err = reconcile.Foresee(cmd, reconcile.ForeseeOptions{
			Files: append(p.files, args...), Functions: p.from.Functions, ExitCode: p.exitCode,
		})
		if err == nil {
			before, err = treeOf(foresight.Published)
		}
		if err == nil {
			after, err = treeOf(foresight.Wanted)
		}
		return before, after, err
	}
	return s, nil
}

// treeOf returns one tree of packages, each in a folder with the name of its repository.
func treeOf(packages []reconciler.Package) (pkgtree.Tree, error) {
	blobs := map[string]*pkgtree.Blob{}
	for _, p := range packages {
		dir := path.Join(local.Key{Namespace: p.Namespace, Name: p.Repository}.String(), p.Path)
		for file, b := range p.Content.All() {
			blobs[path.Join(dir, file)] = b
		}
	}
	return pkgtree.FromBlobs(blobs)
}
