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
	"github.com/waybill-dev/waybill/pkg/kptfile"
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
		Short: "Show what a change does to every cluster, before it ships",
		Long: `Preview renders a package before and after a change, and shows the differences for the whole fleet,
by object and field. Clusters with the same change stand together, risky changes come first. It
needs no cluster. It uses the network only for images that pipelines name and that are not linked
in. It writes nothing except the cache.

The two sides are commits of the repository around --dir, the work tree, or folders:

  (nothing), DIR   HEAD, and the work tree
  BASE..HEAD       two commits, as git names them
  BASE...HEAD      the changes of HEAD since it left BASE: their merge base, and HEAD
  BASE..           a commit, and the work tree
  DIR DIR          two folders
  -f PATH...       the published packages in the repositories downstream of PackageVariants, and
                   the drafts and proposed deletions of 'waybill reconcile -f PATH...'
  (what if)        --with-cluster, --without-cluster and --cluster-label change the side after;
                   without another argument the side before is the unchanged work tree

A folder without a Kptfile stands for the packages below it. Files in no package are used unchanged.
Preview counts the objects in ManifestWorks, and the objects in clusters/NAME/ of a package. Values
of Secrets are not shown.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 refused by --max-clusters, --max-deletions or
--max-objects, or with -f by a ChangeBudget. If a limit refuses or some variants fail, the preview
is printed. With --exit-code: 0 nothing would change, 1 something would change, 2 failed, 3 refused.`,
		Example: `  # changes that are not committed yet
  waybill fleet preview examples/edge-fleet/blueprint

  # in CI, a comment on a pull request; at most a tenth of the fleet may change
  waybill fleet preview origin/main...HEAD --dir fleet -o markdown --max-clusters 10%

  # before PackageVariants are reconciled
  waybill fleet preview -f fleet

  # if a cluster became a production site
  waybill fleet preview --cluster-label lab-1=tier=prod`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(p.files) > 0 { // a shell expands "-f *.yaml" to several arguments
				return nil
			}
			return cli.Args(cobra.MaximumNArgs(2))(cmd, args)
		},
		ValidArgsFunction: p.from.CompleteArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return cli.WithExitCode(p.exitCode, p.run(cmd, args)) },
	}
	flags := cmd.Flags()
	p.from.Add(cmd, "do not render: both sides are rendered already")
	cli.AddFiles(cmd, &p.files)
	p.budget.Add(cmd)
	flags.BoolVar(&p.exitCode, "exit-code", false, "exit with 1 if anything would change, and with 2 after a failure")
	flags.StringVarP(&p.output, "output", "o", "text", "how to print: "+strings.Join(Formats, ", "))
	cli.CompleteChoices(cmd, "output", Formats...)
	flags.BoolVar(&p.all, "all", false, "print the whole text")
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
	sides.Progress = cli.NewProgress(cmd.ErrOrStderr())
	preview, err := p.compare(cmd.Context(), sides, change)
	sides.Progress.Done()
	if err != nil {
		return err
	}
	for _, line := range sides.Warnings() {
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
	if preview.Before.Clusters+preview.After.Clusters == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "No cluster receives anything on either side: there is no ManifestWork, "+
			"and no object in a folder clusters/NAME.")
	}
	if err := p.print(cmd.OutOrStdout(), preview); err != nil {
		return err
	}
	return p.exitError(preview, sides)
}

func (p *command) compare(ctx context.Context, both *sides.Sides, change *whatif.Change) (*waybillapi.FleetPreview, error) {
	before, after, err := p.from.Render(ctx, both, change)
	if err != nil {
		return nil, err
	}
	found, err := both.Compare(before, after)
	if err != nil {
		return nil, err
	}
	if len(p.files) == 0 && sides.AreEmpty(found, before, after) {
		return nil, fmt.Errorf("there is no package on either side (before, %s; after, %s): no %s, and no ManifestWork",
			both.Before, both.After, kptfile.Name)
	}
	both.Duplicates = append(duplicates("before, "+both.Before, found.Before), duplicates("after, "+both.After, found.After)...)
	preview := both.Preview(found, change)
	if p.output != "text" && p.output != "markdown" { // these name no files
		fleet.Locate(preview, before, after, both.Root)
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
