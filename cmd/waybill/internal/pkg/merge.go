package pkg

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

type mergeCommand struct {
	base, theirs, ours, output string
	strategy, onConflict       string
	exitCode                   bool
	out                        cli.Printer
}

func newMergeCommand() *cobra.Command {
	var m mergeCommand
	cmd := &cobra.Command{
		Use:   "merge --base DIR --theirs DIR --ours DIR -o DIR",
		Short: "Merge three folders: the base, and the versions of upstream and here",
		Long: `Merge does with three folders what "pkg update" does with three versions of a package, and nothing
else: it reads the folders, writes one, and contacts no repository. The folder in --base may be
empty, for a package without a common origin. The folder in --theirs must hold a Kptfile if the
package had one. Objects get merge marks; upstream and upstreamLock are those of --theirs.
Subpackages with an upstream of their own are merged as part of the package.

Merge creates the folder in --output, which may also be empty, or the folder in --ours; then merge
updates that. It writes everything or nothing. It prints each conflict on a line, or as --conflicts
says.

Exit codes: 0 done; 1 failed, and nothing was written; 2 wrong usage. With --exit-code: 0 the
result equals --ours, 1 it differs, 2 failed.`,
		Example: `  waybill pkg merge --base v1 --theirs v2 --ours edge -o merged
  waybill pkg merge --base v1 --theirs v2 --ours edge -o edge --on-conflict local --conflicts json`,
		Args: cli.Args(cli.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cli.WithExitCode(m.exitCode, m.run(cmd)) },
	}
	flags := cmd.Flags()
	flags.StringVar(&m.base, "base", "", "`DIR` with the common origin of the package")
	flags.StringVar(&m.theirs, "theirs", "", "`DIR` with the version of upstream")
	flags.StringVar(&m.ours, "ours", "", "`DIR` with the local version")
	flags.StringVarP(&m.output, "output", "o", "", "`DIR` for the result")
	cli.CompletePackageFlags(cmd, "base", "theirs", "ours")
	m.out.AddAs(cmd, "conflicts", "", "how to print conflicts: %s")
	flags.BoolVar(&m.exitCode, "exit-code", false, "exit with 1 if the result differs from --ours, and with 2 after a failure")
	AddStrategy(cmd, &m.strategy, string(merge.ResourceMerge), "how to merge")
	addOnConflict(cmd, &m.onConflict)
	return cmd
}

func (m *mergeCommand) check() error {
	for _, f := range []struct{ name, value string }{
		{"base", m.base}, {"theirs", m.theirs}, {"ours", m.ours}, {"output", m.output},
	} {
		if f.value == "" {
			return cli.Usagef("name a folder by --%s; see 'waybill pkg merge --help'", f.name)
		}
	}
	return CheckStrategy(m.strategy)
}

func (m *mergeCommand) run(cmd *cobra.Command) error {
	if err := m.check(); err != nil {
		return err
	}
	in, err := m.read()
	if err != nil {
		return err
	}
	if err := m.checkTheirs(in); err != nil {
		return err
	}
	place, err := m.place()
	if err != nil {
		return err
	}
	res, generated, err := upstream.Merge(in[0], in[1], in[2],
		merge.Options{Strategy: merge.Strategy(m.strategy), Prefer: merge.Prefer(m.onConflict)})
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	ours, stopped := in[2], merge.Prefer(m.onConflict) == merge.Fail && len(res.Conflicts) > 0
	if !stopped {
		if err := m.write(place, in, res.Tree); err != nil {
			return err
		}
	}
	if err := m.print(cmd, res.Conflicts, generated); err != nil {
		return err
	}
	switch {
	case stopped:
		return fmt.Errorf("merge: %s", conflictsMessage(len(res.Conflicts)))
	case m.exitCode && !res.Tree.Equal(ours):
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}

func (m *mergeCommand) read() (in [3]pkgtree.Tree, err error) {
	for i, dir := range []string{m.base, m.theirs, m.ours} {
		if in[i], err = pkgtree.ReadDir(dir, pkgtree.Limits{}); err != nil {
			return in, err
		}
	}
	return in, nil
}

// checkTheirs refuses a --theirs that is not the package: the merge would delete what it lacks.
func (m *mergeCommand) checkTheirs(in [3]pkgtree.Tree) error {
	base, theirs, ours := in[0], in[1], in[2]
	was, name := base, m.base
	if base.Len() == 0 {
		was, name = ours, m.ours
	}
	switch {
	case theirs.Len() == 0:
		return fmt.Errorf("--theirs %q holds no file, so the merge would delete the package: name the folder of the package", m.theirs)
	case was.Blob(kptfile.Name) != nil && theirs.Blob(kptfile.Name) == nil:
		return fmt.Errorf("--theirs %q holds no Kptfile, but %q does: name the folder of the package itself; "+
			"if upstream removed the Kptfile on purpose, copy the one of %q there", m.theirs, name, name)
	}
	return nil
}

func (m *mergeCommand) print(cmd *cobra.Command, conflicts []merge.Conflict, generated []string) error {
	progress := &fetchProgress{out: cmd.ErrOrStderr()}
	if len(generated) > 0 {
		progress.printf("%s", generatedMessage(len(generated)))
	}
	if len(conflicts) > 0 {
		progress.printf("%d conflict(s).", len(conflicts))
	}
	if m.out.Format == "table" {
		return printConflicts(cmd.OutOrStdout(), conflicts)
	}
	return m.out.Print(cmd.OutOrStdout(), cli.NewList("ConflictList", conflicts), nil, nil)
}
