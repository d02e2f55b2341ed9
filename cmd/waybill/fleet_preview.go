package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// fleetPreview holds the flags of one `waybill fleet preview`.
type fleetPreview struct {
	functions functionFlags
	files     []string
	dir       string
	noRender  bool
	whatIf    whatIfFlags
	budget    fleet.Budget
	exitCode  bool
	output    string
	all       bool
}

func newFleetPreviewCommand() *cobra.Command {
	var p fleetPreview
	cmd := &cobra.Command{
		Use:   "preview [BASE..HEAD | -f PATH... | DIR | DIR DIR]",
		Short: "Say what a change does to every cluster, before it ships",
		Long: `Preview renders a package before and after a change, and says what is different for the whole fleet:
by object and field, clusters with the very same change together, risky changes first. It needs no
cluster and no network but for images that pipelines name and that are not linked in. Nothing is
written but the cache.

Sides are two commits of the repository around --dir, or the work tree:

  (nothing), DIR   HEAD, and the work tree
  BASE..HEAD       two commits, as git names them
  BASE...HEAD      what HEAD did since it left BASE: their merge base, and HEAD
  BASE..           a commit, and the work tree
  DIR DIR          two folders
  -f PATH...       what is published in the repositories downstream of PackageVariants, and what
                   'waybill reconcile -f PATH...' would draft, or has drafted, and propose to delete
  (what if)        with --with-cluster, --without-cluster or --cluster-label and nothing else, the
                   work tree as it is, and as it would be; else they apply to the side after

A folder without a Kptfile is taken for several packages, of which each is rendered; files that are
in none are taken as they are. What counts is what ManifestWorks carry, and objects that lie in
clusters/NAME/ of a package. Values of Secrets are not shown.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 refused by --max-clusters, --max-deletions or
--max-objects, or with -f by a ChangeBudget, with the preview printed all the same, as it is where
some variants fail. With --exit-code: 0 nothing would change, 1 something would, 2 it failed, 3
refused.`,
		Example: `  # what is not committed yet
  waybill fleet preview examples/edge-fleet/blueprint

  # in CI, for a pull request: a comment, and no more than a tenth of the fleet at once
  waybill fleet preview origin/main...HEAD --dir fleet -o markdown --max-clusters 10%

  # before PackageVariants are reconciled
  waybill fleet preview -f fleet

  # what if a cluster became a production site
  waybill fleet preview --cluster-label lab-1=tier=prod`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(p.files) > 0 { // what a shell makes of "-f *.yaml"
				return nil
			}
			return usageArgs(cobra.MaximumNArgs(2))(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return troubleIsTwo(p.exitCode, p.run(cmd, args)) },
	}
	p.add(cmd)
	return cmd
}

func (p *fleetPreview) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	p.functions.add(cmd)
	p.functions.addWasm(cmd)
	addFiles(cmd, &p.files)
	flags.StringVar(&p.dir, "dir", ".", "`DIR` of the package, for commits and the work tree")
	flags.BoolVar(&p.noRender, "no-render", false, "take both sides for rendered already")
	p.whatIf.add(cmd)
	flags.Var((*boundValue)(&p.budget.Clusters), "max-clusters", "refuse if something changes on more clusters: N, or P% of those before")
	flags.Var((*boundValue)(&p.budget.Deletions), "max-deletions", "refuse if more objects are deleted, each counted for every cluster: "+
		"N, or P% of those before")
	flags.Var((*boundValue)(&p.budget.Objects), "max-objects", "refuse if more objects are added, changed or deleted, "+
		"counted likewise: N or P%")
	flags.BoolVar(&p.exitCode, "exit-code", false, "tell by the exit code whether anything would change")
	flags.StringVarP(&p.output, "output", "o", "text", "how to print: "+strings.Join(previewFormats, ", "))
	flags.BoolVar(&p.all, "all", false, "leave nothing out of the text")
}

func (p *fleetPreview) run(cmd *cobra.Command, args []string) error {
	if err := p.check(); err != nil {
		return err
	}
	change, err := untilEnd(cmd.Context(), p.whatIf.read)
	if err != nil {
		return err
	}
	sides, err := p.whichSides(cmd, args, change)
	if err != nil {
		return err
	}
	preview, err := p.compare(cmd.Context(), sides, change)
	if err != nil {
		return err
	}
	for _, line := range sides.warnings() {
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
	if preview.Before.Clusters+preview.After.Clusters == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "Nothing is delivered to any cluster on either side: there is no ManifestWork, "+
			"and nothing in a folder clusters/NAME.")
	}
	if err := p.print(cmd.OutOrStdout(), preview); err != nil {
		return err
	}
	return p.verdict(preview, sides)
}

func (p *fleetPreview) whichSides(cmd *cobra.Command, args []string, change *whatif.Change) (*previewSides, error) {
	if len(p.files) > 0 {
		return p.variantSides(cmd, args, !change.Empty())
	}
	return p.sides(cmd.Context(), args, !change.Empty())
}

// compare reads, renders and compares both sides.
func (p *fleetPreview) compare(ctx context.Context, sides *previewSides, change *whatif.Change) (*waybillapi.FleetPreview, error) {
	before, after, err := p.rendered(ctx, sides, change)
	if err != nil {
		return nil, err
	}
	was, err := fleet.Read(before, nil)
	if err != nil {
		return nil, fmt.Errorf("before, %s: %w", sides.before, err)
	}
	is, err := fleet.Read(after, was)
	if err != nil {
		return nil, fmt.Errorf("after, %s: %w", sides.after, err)
	}
	sides.twins = append(twins("before, "+sides.before, was), twins("after, "+sides.after, is)...)
	found, err := fleet.Compare(was, is)
	if err != nil {
		return nil, err
	}
	preview := sides.tell(found, change)
	if p.places() {
		fleet.Locate(preview, before, after, sides.root)
	}
	return preview, nil
}

// rendered are both sides as they are shipped, the one after with the change.
func (p *fleetPreview) rendered(ctx context.Context, sides *previewSides, change *whatif.Change) (before, after pkgtree.Tree, err error) {
	if before, after, err = sides.read(ctx); err != nil {
		return before, after, err
	}
	if after, _, err = change.Apply(after); err != nil {
		return before, after, err
	}
	was, is, err := p.renderBoth(ctx, sides, before, after)
	if err == nil {
		err = sides.warnOfStale(before, after, was, is)
	}
	return was, is, err
}

// warnings are those about the sides.
func (s *previewSides) warnings() []string { return slices.Concat(s.stale, s.twins) }

// tell is a comparison of the sides, under their names.
func (s *previewSides) tell(found *fleet.Comparison, change *whatif.Change) *waybillapi.FleetPreview {
	preview := found.Preview(s.root)
	preview.Before.Name, preview.After.Name = s.before, s.after
	if !change.Empty() {
		preview.After.Name += ", what if"
	}
	return preview
}

// verdict is the exit code. Where clusters have, or will have, other works than those that were rendered, the comparison does not
// say what changes for them.
func (p *fleetPreview) verdict(preview *waybillapi.FleetPreview, sides *previewSides) error {
	refusals := p.budget.Refusals(preview)
	if len(sides.stale) > 0 && p.budget != (fleet.Budget{}) {
		refusals = append(refusals, "committed works are not what rendering gives, so what changes on clusters cannot be counted: "+
			"commit what 'waybill fn render' makes, or count with --no-render")
	}
	if len(refusals) > 0 {
		return &exitError{exitRefused, errors.New("refused: " + strings.Join(refusals, "; "))}
	}
	if sides.trouble != nil {
		return sides.trouble
	}
	if p.exitCode && (len(preview.Groups) > 0 || len(sides.stale) > 0) {
		return &exitError{code: exitFailed}
	}
	return nil
}
