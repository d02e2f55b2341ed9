// Package preview has the command `waybill fleet preview`.
package preview

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/sides"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
)

type command struct {
	from     sides.Flags
	files    []string
	budget   sides.BudgetFlags
	exitCode bool
	output   string
	all      bool
}

// NewCommand returns `waybill fleet preview`.
func NewCommand() *cobra.Command {
	var p command
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
			if len(p.files) > 0 { // a shell expands "-f *.yaml" to several arguments
				return nil
			}
			return cli.Args(cobra.MaximumNArgs(2))(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cli.WithExitCode(p.exitCode, p.run(cmd, args)) },
	}
	flags := cmd.Flags()
	p.from.Add(cmd, "take both sides for rendered already")
	cli.AddFiles(cmd, &p.files)
	p.budget.Add(cmd)
	flags.BoolVar(&p.exitCode, "exit-code", false, "tell by the exit code whether anything would change")
	flags.StringVarP(&p.output, "output", "o", "text", "how to print: "+strings.Join(Formats, ", "))
	flags.BoolVar(&p.all, "all", false, "leave nothing out of the text")
	return cmd
}

func (p *command) run(cmd *cobra.Command, args []string) error {
	if err := p.check(); err != nil {
		return err
	}
	change, err := cli.Await(cmd.Context(), p.from.WhatIf.Read)
	if err != nil {
		return err
	}
	sides, err := p.sides(cmd, args, !change.Empty())
	if err != nil {
		return err
	}
	preview, err := p.compare(cmd.Context(), sides, change)
	if err != nil {
		return err
	}
	for _, line := range sides.Warnings() {
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
	if preview.Before.Clusters+preview.After.Clusters == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "Nothing is delivered to any cluster on either side: there is no ManifestWork, "+
			"and nothing in a folder clusters/NAME.")
	}
	if err := p.print(cmd.OutOrStdout(), preview); err != nil {
		return err
	}
	return p.exitError(preview, sides)
}

func (p *command) compare(ctx context.Context, sides *sides.Sides, change *whatif.Change) (*waybillapi.FleetPreview, error) {
	before, after, err := p.from.Render(ctx, sides, change)
	if err != nil {
		return nil, err
	}
	found, err := sides.Compare(before, after)
	if err != nil {
		return nil, err
	}
	sides.Duplicates = append(duplicates("before, "+sides.Before, found.Before), duplicates("after, "+sides.After, found.After)...)
	preview := sides.Preview(found, change)
	if p.needsPlaces() {
		fleet.Locate(preview, before, after, sides.Root)
	}
	return preview, nil
}

// exitError returns the exit code.
func (p *command) exitError(preview *waybillapi.FleetPreview, found *sides.Sides) error {
	if err := sides.Refused(p.budget.Refusals(preview, found)); err != nil {
		return err
	}
	if found.Failed != nil {
		return found.Failed
	}
	if p.exitCode && (len(preview.Groups) > 0 || len(found.Stale) > 0) {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}
