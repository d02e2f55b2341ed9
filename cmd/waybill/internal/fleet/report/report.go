// Package report has the command `waybill fleet report`.
package report

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/sides"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/graph"
	"github.com/waybill-dev/waybill/pkg/fleet/html"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/selection"
)

type command struct {
	from   sides.Flags
	folder string // of the fleet, in messages
	budget sides.BudgetFlags
	output string
	graph  string
}

// NewCommand returns `waybill fleet report`.
func NewCommand() *cobra.Command {
	var r command
	cmd := &cobra.Command{
		Use:   "report [BASE..HEAD | DIR | DIR DIR] -o FILE",
		Short: "Draw the whole fleet: a page to search, or a graph",
		Long: `Report renders a package and draws what every cluster receives. Of two sides it draws the side
after, with the changes, as 'waybill fleet preview' does:

  (nothing), DIR   the work tree alone
  BASE..HEAD       two sides, as for preview; also a commit and the work tree, and DIR DIR
  (what if)        the fleet as --with-cluster, --without-cluster or --cluster-label change it

The ending of the file name chooses the format:

  .html            one page that needs no network: a matrix of clusters and policies, down to the
                   YAML of each object; search, keyboard (/, arrows, Enter, Escape), light and dark
  .mmd, .md        policies, objects and clusters as a Mermaid flowchart, alone or in Markdown
  .dot             the same for Graphviz

Graphs put similar nodes together until people can read them, and say so; they mark objects that
change. Values of Secrets are not shown. The same input gives the same bytes.

With --max-clusters, --max-deletions or --max-objects the page says whether a change is refused.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 refused by --max-clusters, --max-deletions or
--max-objects, after FILE is written.`,
		Example: `  # the fleet as it is
  waybill fleet report examples/edge-fleet/blueprint -o fleet.html

  # the changes of a branch, as an artifact of a workflow
  waybill fleet report origin/main...HEAD --dir fleet -o report.html

  # a drawing for a pull request, or for a pipe
  waybill fleet report -o fleet.md
  waybill fleet report --graph dot | dot -Tsvg > fleet.svg`,
		Args:              cli.Args(cobra.MaximumNArgs(2)),
		ValidArgsFunction: r.from.CompleteArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	flags := cmd.Flags()
	r.from.Add(cmd, "do not render: the package is rendered already")
	r.budget.Add(cmd)
	flags.StringVarP(&r.output, "output", "o", "", "`FILE` to write: .html, .mmd, .md or .dot; - is stdout")
	flags.StringVar(&r.graph, "graph", "", "draw a graph with any file name: mermaid, dot or markdown")
	cli.CompleteChoices(cmd, "graph", "mermaid", "dot", "markdown")
	return cmd
}

func (r *command) run(cmd *cobra.Command, args []string) error {
	draw, err := r.format()
	if err != nil {
		return err
	}
	change, err := cli.Await(cmd.Context(), r.from.WhatIf.Read)
	if err != nil {
		return err
	}
	found, single, err := r.sides(cmd.Context(), args, !change.Empty())
	if err != nil {
		return err
	}
	found.Progress = cli.NewProgress(cmd.ErrOrStderr())
	index, err := r.index(cmd.Context(), found, change, single)
	found.Progress.Done()
	if err != nil {
		return err
	}
	if !single {
		for _, line := range found.Stale {
			fmt.Fprintln(cmd.ErrOrStderr(), line)
		}
	}
	content := drawn{name: found.Name, side: found.After, index: index, bounded: r.budget.Set()}
	if index.Preview != nil {
		content.refused = r.budget.Refusals(index.Preview, found)
	}
	if err := r.write(cmd, draw, content); err != nil {
		return err
	}
	return sides.Refused(content.refused)
}

func (r *command) write(cmd *cobra.Command, draw drawing, content drawn) error {
	if r.output == "" || r.output == "-" {
		return draw(cmd.OutOrStdout(), content)
	}
	if err := cli.WriteFileTo(r.output, func(w io.Writer) error { return draw(w, content) }); err != nil {
		return err
	}
	objects := 0
	for i := range content.index.Objects {
		if !content.index.Objects[i].Itself { // as in the page, a work is not one of its objects
			objects++
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "Wrote %s: %s, %s.\n", cli.SafeText(r.output),
		selection.Count(len(content.index.Clusters), "cluster"), selection.Count(objects, "different object"))
	return nil
}

// sides are those of a preview, except that a single folder is not compared with its last commit.
func (r *command) sides(ctx context.Context, args []string, whatIf bool) (found *sides.Sides, single bool, err error) {
	dir, isRange, err := r.from.Folder(args)
	r.folder = dir
	if len(args) == 2 {
		r.folder = args[0] + " or " + args[1]
	}
	if isRange || len(args) == 2 {
		found, err = r.from.Find(ctx, args, whatIf)
		return found, false, err
	}
	if err == nil {
		found, err = sides.OfFolder(dir)
	}
	return found, !whatIf, err
}

// index reads and renders the sides, and indexes what the second delivers.
func (r *command) index(ctx context.Context, both *sides.Sides, change *whatif.Change, single bool) (*index.Index, error) {
	before, after, err := r.from.Render(ctx, both, change)
	if err != nil {
		return nil, err
	}
	if single {
		is, err := fleet.Read(after, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", both.After, err)
		}
		if sides.IsEmpty(is, after) {
			return nil, r.noPackage()
		}
		return index.Of(after, is, nil)
	}
	found, err := both.Compare(before, after)
	if err != nil {
		return nil, err
	}
	if sides.AreEmpty(found, before, after) {
		return nil, r.noPackage()
	}
	return index.Of(after, found.After, both.Preview(found, change))
}

func (r *command) noPackage() error {
	return fmt.Errorf("there is no package in %s: no %s, and no ManifestWork", filepath.ToSlash(r.folder), kptfile.Name)
}

// drawn is the content of a report.
type drawn struct {
	name, side string
	index      *index.Index
	refused    []string
	bounded    bool
}

// drawing writes a report in one format.
type drawing func(io.Writer, drawn) error

func drawPage(w io.Writer, d drawn) error {
	return html.Write(w, d.index, html.Options{Name: d.name, Side: d.side, Refused: d.refused, Bounded: d.bounded})
}

func drawGraph(write func(io.Writer, *graph.Graph) error) drawing {
	return func(w io.Writer, d drawn) error { return write(w, graph.Of(d.index)) }
}

// Formats by the value of --graph, and by the ending of the file's name.
var (
	graphFormats = map[string]drawing{
		"mermaid": drawGraph(graph.Mermaid), "markdown": drawGraph(graph.Markdown), "dot": drawGraph(graph.DOT),
	}
	fileFormats = map[string]drawing{
		".html": drawPage, ".htm": drawPage, ".mmd": drawGraph(graph.Mermaid), ".md": drawGraph(graph.Markdown),
		".dot": drawGraph(graph.DOT), ".gv": drawGraph(graph.DOT),
	}
)

// format returns the format that --graph or else the file name asks for.
func (r *command) format() (drawing, error) {
	if r.graph != "" {
		if draw, ok := graphFormats[r.graph]; ok {
			return draw, nil
		}
		return nil, cli.Usagef("--graph %q: want mermaid, dot or markdown", r.graph)
	}
	if draw, ok := fileFormats[strings.ToLower(filepath.Ext(r.output))]; ok {
		return draw, nil
	}
	switch r.output {
	case "":
		return nil, cli.Usagef("name the file to write, such as -o report.html, or use --graph mermaid")
	case "-":
		return drawPage, nil
	}
	return nil, cli.Usagef("-o %q: want a name that ends in .html, .mmd, .md or .dot, or --graph", r.output)
}
