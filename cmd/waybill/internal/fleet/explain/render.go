package explain

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/sides"
	"github.com/waybill-dev/waybill/pkg/fleet/explain"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

func (e *command) load(ctx context.Context, progress *cli.Progress) (*explain.Snapshot, error) {
	change, err := cli.Await(ctx, e.whatIf.Read)
	if err != nil {
		return nil, err
	}
	side, err := sides.OfFolders(e.dir, e.dir)
	if err != nil {
		return nil, err
	}
	tree, err := sides.ReadFolder(e.dir)
	if err != nil {
		return nil, err
	}
	tree, lines, err := change.Apply(tree)
	if err != nil {
		return nil, err
	}
	packages, rendered, err := e.render(ctx, tree, side.Name, progress)
	if err != nil {
		return nil, err
	}
	return explain.NewSnapshot(side.Root, rendered, lines, packages)
}

func (e *command) render(
	ctx context.Context, tree pkgtree.Tree, name string, progress *cli.Progress,
) (packages []explain.Package, rendered pkgtree.Tree, err error) {
	factory, err := e.functions.NewFactory()
	if err != nil {
		return nil, tree, err
	}
	if len(whatif.TopPackages(tree)) == 0 {
		return nil, tree, fmt.Errorf("there is no package in %s: no %s", filepath.ToSlash(e.dir), kptfile.Name)
	}
	opts := render.Options{Functions: factory, Name: name, Trace: true, Parsed: &krm.Parsed{},
		Observe: sides.NewRendering(progress).Watch("", tree)}
	rendered, err = sides.RenderPackages(ctx, tree, opts, func(folder string, result *render.Result) {
		packages = append(packages, explain.Package{Folder: folder, Result: result})
	})
	return packages, rendered, err
}
