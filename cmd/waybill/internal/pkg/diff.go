package pkg

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

type diffCommand struct {
	kind     string
	exitCode bool
	tool     diffTool
	cache    cli.CacheFlags
	registry RegistryFlags
	out      cli.Printer
}

// threeWay is the type of a diff that shows the changes of both sides, and the conflicts of an update.
const threeWay = "3way"

var diffTypes = []string{string(upstream.Local), string(upstream.Remote), string(upstream.Combined), threeWay}

func newDiffCommand() *cobra.Command {
	var d diffCommand
	cmd := &cobra.Command{
		Use:   "diff [DIR][@REF]",
		Short: "Show the differences between a package and its upstream, by object and field",
		Long: `Diff compares the package in DIR (default: the current directory) with its upstream: objects field
by field, other files as a whole. --diff-type chooses the two versions:

  local     upstream when the package was fetched, and the local package: the local changes
  remote    upstream when the package was fetched, and at REF: the changes of an update
  combined  upstream at REF, and the local package; the default if REF is given
  3way      local and remote, and the conflicts of an update

Without a REF, the ref in the Kptfile is used. Each subpackage with an upstream of its own is
compared with that. Merge marks do not count. A file that differs only in order, comments or style
is listed once, as "format". Values of Secrets are not shown.

With --diff-tool, a program compares the versions instead. It gets them as folders, as from "kpt pkg
diff": without the Kptfile of the package, and with merge marks. It sees the values of Secrets. Its
exit code 1 means that something differs; any higher code is a failure.

Exit codes: 0 done; 1 failed; 2 wrong usage. With --exit-code: 0 no difference, 1 a difference, 2
failed.`,
		Example: `  # the local changes
  waybill pkg diff edge

  # the changes and conflicts of an update
  waybill pkg diff edge@v2 --diff-type 3way

  # as text
  waybill pkg diff edge@v2 --diff-tool diff --diff-tool-opts -ru`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			defer func() { d.cache.Warn(cmd.ErrOrStderr()) }()
			return cli.WithExitCode(d.exitCode, d.run(cmd, args))
		},
	}
	cmd.Flags().StringVar(&d.kind, "diff-type", "", "what to compare: "+strings.Join(diffTypes, ", ")+
		" (default: local, or combined if REF is given)")
	cli.CompleteChoices(cmd, "diff-type", diffTypes...)
	cmd.Flags().BoolVar(&d.exitCode, "exit-code", false, "exit with 1 if anything differs, and with 2 after a failure")
	d.tool.addFlags(cmd)
	addFetchCache(cmd, &d.cache)
	d.registry.Add(cmd)
	d.out.Add(cmd)
	return cmd
}

func (d *diffCommand) check() error {
	if d.kind != "" && !slices.Contains(diffTypes, d.kind) {
		return cli.Usagef("invalid diff-type '%s': supported diff-types are: %s", d.kind, strings.Join(diffTypes, ", "))
	}
	if d.tool.used() {
		return d.tool.find(&d.out)
	}
	return nil
}

func (d *diffCommand) run(cmd *cobra.Command, args []string) error {
	if err := d.check(); err != nil {
		return err
	}
	dir, ref, name, err := targetOf(args)
	if err != nil {
		return err
	}
	switch {
	case d.kind == "" && ref == "":
		d.kind = string(upstream.Local)
	case d.kind == "":
		d.kind = string(upstream.Combined)
	case d.kind == string(upstream.Local) && ref != "":
		return cli.Usagef("--diff-type local compares with the fetched version: leave @%s out", ref)
	}
	progress := &fetchProgress{out: cmd.ErrOrStderr(), root: name, prefix: "upstream from "}
	if d.tool.used() {
		if err := d.runTool(cmd, progress, dir, ref); err != nil {
			return fmt.Errorf("compare package %q: %w", name, err)
		}
		return nil
	}
	r, err := d.compare(cmd.Context(), progress, dir, ref)
	if err != nil {
		return fmt.Errorf("compare package %q: %w", name, err)
	}
	r.Package = name
	return errors.Join(r.Print(cmd.OutOrStdout(), &d.out), r.exitError(progress, d.exitCode))
}

func (d *diffCommand) source() (upstream.Source, error) {
	src, err := Source(&d.cache, &d.registry)
	return &cachingSource{Source: src}, err
}

// runTool lets a program compare the versions.
func (d *diffCommand) runTool(cmd *cobra.Command, progress *fetchProgress, dir, ref string) error {
	ours, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		return err
	}
	src, err := d.source()
	if err != nil {
		return err
	}
	v, err := upstream.Versions(cmd.Context(), src, ours,
		upstream.DiffOptions{Type: upstream.DiffType(d.kind), Ref: ref, Observe: progress.observe})
	if err != nil {
		return err
	}
	differs, err := d.tool.run(cmd, d.kind, v)
	if err == nil && differs && d.exitCode {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return err
}

func (d *diffCommand) compare(ctx context.Context, progress *fetchProgress, dir, ref string) (*DiffReport, error) {
	ours, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		return nil, err
	}
	r := NewDiffReport("", d.kind, nil)
	src, err := d.source()
	if err != nil {
		return nil, err
	}
	kinds := []upstream.DiffType{upstream.DiffType(d.kind)}
	if d.kind == threeWay {
		kinds = []upstream.DiffType{upstream.Local, upstream.Remote}
	}
	for _, kind := range kinds {
		changes, err := upstream.Diff(ctx, src, ours, upstream.DiffOptions{Type: kind, Ref: ref, Observe: progress.observe})
		if err != nil {
			return nil, err
		}
		r.add(kind, changes)
	}
	if d.kind != threeWay {
		return r, nil
	}
	did, err := upstream.Update(ctx, src, ours, upstream.UpdateOptions{Ref: ref, Prefer: merge.Fail})
	switch {
	case context.Cause(ctx) != nil:
		return nil, context.Cause(ctx)
	case err != nil: // the differences count all the same
		progress.printf("An update would fail: %s", cli.OneLine(err))
	default:
		r.Conflicts = append(r.Conflicts, did.Conflicts...)
	}
	return r, nil
}
