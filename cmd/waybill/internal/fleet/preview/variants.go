package preview

import (
	"context"
	"path"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/sides"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/reconcile"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// boundValue is a fleet.Bound as a flag value.
type boundValue fleet.Bound

func (b *boundValue) Set(text string) error {
	bound, err := fleet.ParseBound(text)
	*b = boundValue(bound)
	return err
}

func (b *boundValue) String() string { return fleet.Bound(*b).String() }

func (b *boundValue) Type() string { return "N|P%" }

// variantSides compares what is published in the repositories downstream of PackageVariants with what they would hold after
// all wanted drafts were approved. Drafts are rendered already; with what-if flags both sides are rendered again.
func (p *command) variantSides(cmd *cobra.Command, more []string, whatIf bool) (*sides.Sides, error) {
	switch {
	case p.from.Dir != ".":
		return nil, cli.Usagef("--dir is for commits and the work tree, and --filename for PackageVariants: give one of them")
	case p.from.NoRender:
		return nil, cli.Usagef("--no-render: what --filename drafts is rendered always")
	}
	s := &sides.Sides{Name: "fleet", Before: "published", After: "drafts", Rendered: !whatIf}
	s.Read = func(_ context.Context) (before, after pkgtree.Tree, err error) {
		var foresight reconciler.Preview
		foresight, s.Failed, err = reconcile.Foresee(cmd, reconcile.ForeseeOptions{
			Files: append(p.files, more...), Functions: p.from.Functions, ExitCode: p.exitCode,
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
