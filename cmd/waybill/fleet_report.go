package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
)

// fleetReport holds the flags of one `waybill fleet report`. Sides and rendering are those of a preview.
type fleetReport struct {
	preview fleetPreview
	output  string
	graph   string
}

func newFleetReportCommand() *cobra.Command {
	var r fleetReport
	cmd := &cobra.Command{
		Use:   "report [BASE..HEAD | DIR | DIR DIR] -o FILE",
		Short: "Draw the whole fleet: a page to search and open, or a graph",
		Long: `Report renders a package and draws what every cluster receives. Of two sides it draws the one
after, and says what changes, as preview does:

  (nothing), DIR   the work tree alone
  BASE..HEAD       and all else as preview has it: two commits, a commit and the work tree; DIR DIR
  (what if)        with --with-cluster, --without-cluster or --cluster-label, what would be

The end of the file's name says what is drawn:

  .html            one page that needs no network: clusters and policies as a matrix, down to each
                   object's YAML; search, keyboard (/, arrows, Enter, Escape), light and dark
  .mmd, .md        policies, objects and clusters as a Mermaid flowchart, alone or in Markdown
  .dot             the same for Graphviz

Graphs fold what is alike until they are small enough to be looked at, and say so. Values of Secrets
are not shown. The same input gives the same bytes.`,
		Example: `  # the fleet as it is
  waybill fleet report examples/edge-fleet/blueprint -o fleet.html

  # what a branch does to it, as an artifact of a workflow
  waybill fleet report origin/main...HEAD --dir fleet -o report.html

  # a drawing for a pull request, or for a terminal's pipe
  waybill fleet report -o fleet.md
  waybill fleet report --graph dot | dot -Tsvg > fleet.svg`,
		Args: usageArgs(cobra.MaximumNArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	r.add(cmd)
	return cmd
}

func (r *fleetReport) add(cmd *cobra.Command) {
	flags, p := cmd.Flags(), &r.preview
	p.functions.add(cmd)
	p.functions.addWasm(cmd)
	flags.StringVar(&p.dir, "dir", ".", "`DIR` of the package, for commits and the work tree")
	flags.BoolVar(&p.noRender, "no-render", false, "take what is there for rendered already")
	p.whatIf.add(cmd)
	flags.StringVarP(&r.output, "output", "o", "", "`FILE` to write, .html, .mmd, .md or .dot; - is standard output")
	flags.StringVar(&r.graph, "graph", "", "draw a graph, whatever the file is called: mermaid, dot or markdown")
}

func (r *fleetReport) run(cmd *cobra.Command, args []string) error {
	draw, err := r.form()
	if err != nil {
		return err
	}
	change, err := untilEnd(cmd.Context(), r.preview.whatIf.read)
	if err != nil {
		return err
	}
	sides, single, err := r.sides(cmd.Context(), args, !change.Empty())
	if err != nil {
		return err
	}
	a, err := r.index(cmd.Context(), sides, change, single)
	if err != nil {
		return err
	}
	if !single {
		for _, line := range sides.stale {
			fmt.Fprintln(cmd.ErrOrStderr(), line)
		}
	}
	what := drawn{name: sides.name, side: sides.after, index: a}
	if r.output == "" || r.output == "-" {
		return draw(cmd.OutOrStdout(), what)
	}
	if err := writeFileTo(r.output, func(w io.Writer) error { return draw(w, what) }); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "Wrote %s: %d clusters, %d different objects.\n", inert(r.output), len(a.Clusters), len(a.Objects))
	return nil
}

// sides are those of a preview, but that a folder is one side and not compared with its last commit.
func (r *fleetReport) sides(ctx context.Context, args []string, whatIf bool) (sides *previewSides, single bool, err error) {
	dir := r.preview.dir
	if len(args) == 1 {
		if _, _, _, compares := splitRange(args[0]); compares {
			sides, err = r.preview.sides(ctx, args, whatIf)
			return sides, false, err
		}
		if dir != "." {
			return nil, false, usage("%q is no range of commits, and --dir names the folder already", args[0])
		}
		dir = args[0]
	}
	if len(args) == 2 {
		sides, err = r.preview.sides(ctx, args, whatIf)
		return sides, false, err
	}
	sides, err = workSides(dir)
	return sides, !whatIf, err
}

// index reads and renders the sides, and lists what the one after delivers.
func (r *fleetReport) index(ctx context.Context, sides *previewSides, change *whatif.Change, single bool) (*index.Index, error) {
	before, after, err := r.preview.rendered(ctx, sides, change)
	if err != nil {
		return nil, err
	}
	is, err := fleet.Read(after, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sides.after, err)
	}
	if single {
		return index.Of(after, is, nil)
	}
	was, err := fleet.Read(before, is)
	if err != nil {
		return nil, fmt.Errorf("before, %s: %w", sides.before, err)
	}
	found, err := fleet.Compare(was, is)
	if err != nil {
		return nil, err
	}
	return index.Of(after, is, sides.tell(found, change))
}
