package rpkg

import (
	"context"
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

type diffCommand struct {
	repos    repositoryFlags
	with     string
	exitCode bool
	cache    cli.CacheFlags
	out      cli.Printer
}

func newDiffCommand() *cobra.Command {
	var d diffCommand
	cmd := &cobra.Command{
		Use:   "diff NAME [OTHER]",
		Short: "Show the differences between package revisions, by object and field",
		Long: `Diff compares two revisions; or one with the package on the main branch; or, with --with upstream,
one with the upstream that it was made of. It compares objects field by field, other files as a
whole. Merge marks do not count, and values of Secrets are not shown.

Exit codes: 0 done; 1 failed; 2 wrong usage. With --exit-code: 0 no difference, 1 a difference, 2
failed.`,
		Example: `  # what a draft would change on the main branch
  waybill rpkg diff -f fleet deployments.eu.shop.prices

  # from one revision to another
  waybill rpkg diff -f fleet deployments.eu.shop.first deployments.eu.shop.second

  # the local edits
  waybill rpkg diff -f fleet deployments.eu.shop.packagevariant-1 --with upstream`,
		Args: cli.Args(cobra.RangeArgs(1, 2)),

		ValidArgsFunction: d.repos.completeNames(),
		RunE: func(cmd *cobra.Command, names []string) error {
			defer func() { d.cache.Warn(cmd.ErrOrStderr()) }()
			return cli.WithExitCode(d.exitCode, d.run(cmd, names))
		},
	}
	d.repos.add(cmd)
	cli.AddChoice(cmd, &d.with, "with", "", "", "what to compare one revision with: %s (default: main)", withMain, withUpstream)
	cmd.Flags().BoolVar(&d.exitCode, "exit-code", false, "exit with 1 if anything differs, and with 2 after a failure")
	d.cache.Add(cmd, "fetch an upstream again that no Repository shows")
	d.out.Add(cmd)
	return cmd
}

// The values of --with.
const (
	withMain     = "main"
	withUpstream = "upstream"
)

func (d *diffCommand) run(cmd *cobra.Command, names []string) error {
	if len(names) == 2 && d.with != "" {
		return cli.Usagef("use either OTHER or --with")
	}
	use := nameBegins(names...)
	if d.with == withUpstream {
		use = nil
	}
	repos, err := d.repos.open(cmd)
	if err != nil {
		return err
	}
	all, err := listRevisions(cmd.Context(), repos, use)
	if err != nil {
		return err
	}
	kind, changes, err := d.compare(cmd.Context(), session{revisions: all}, names)
	if err != nil {
		return fmt.Errorf("compare %s: %w", names[0], err)
	}
	if err := pkg.NewDiffReport(names[0], kind, changes).Print(cmd.OutOrStdout(), &d.out); err != nil {
		return err
	}
	if len(changes) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "Nothing differs.")
	} else if d.exitCode {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}

// compare returns the changes and what was compared.
func (d *diffCommand) compare(ctx context.Context, s session, names []string) (kind string, changes []diff.Change, err error) {
	isDraft := func(r revision.Known) bool { return !r.Lifecycle.IsPublished() }
	first, err := s.one(names[0], isDraft)
	if err != nil {
		return "", nil, err
	}
	tree, err := first.Store.Content(first.Revision)
	if err != nil {
		return "", nil, err
	}
	switch {
	case len(names) == 2:
		var other revision.Known
		if other, err = s.one(names[1], isDraft); err != nil {
			return "", nil, err
		}
		var to pkgtree.Tree
		if to, err = other.Store.Content(other.Revision); err == nil {
			changes, err = diff.Changes(tree, to)
		}
		return "revisions", changes, err
	case d.with == withUpstream:
		var src upstream.Source
		if src, err = pkg.Source(&d.cache, &pkg.RegistryFlags{}); err != nil {
			return "", nil, err
		}
		changes, err = upstream.Diff(ctx, knownSource{src, s.revisions}, tree, upstream.DiffOptions{Type: upstream.Local})
		return string(upstream.Local), changes, err
	}
	main, err := onMain(first, s.revisions)
	if err == nil {
		changes, err = diff.Changes(main, tree)
	}
	return withMain, changes, err
}

// onMain is the package of a revision on the main branch, empty if it is not there.
func onMain(r revision.Known, all []revision.Known) (pkgtree.Tree, error) {
	for _, k := range all {
		if k.Store == r.Store && k.Package == r.Package && k.Revision.Revision == revision.Placeholder && k.Ref == r.Store.MainRef() {
			return k.Store.Content(k.Revision)
		}
	}
	return pkgtree.Tree{}, nil
}

// knownSource reads upstreams from the repositories that show them, and others from where they are.
type knownSource struct {
	upstream.Source
	all []revision.Known
}

// FetchLocked implements upstream.Source.
func (s knownSource) FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	if tree, _, err := (revision.Upstream{Lock: lock}).Base(s.all); err == nil {
		return &gitrepo.Fetched{Tree: tree}, nil
	}
	return s.Source.FetchLocked(ctx, lock)
}
