package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
)

// reconcile holds the flags of one `waybill reconcile`.
type reconcile struct {
	files            []string
	functions        functionFlags
	out              printer
	dryRun, exitCode bool
}

func newReconcileCommand() *cobra.Command {
	var r reconcile
	cmd := &cobra.Command{
		Use:   "reconcile -f PATH...",
		Short: "Draft in Git what PackageVariants want",
		Long: `Reconcile reads Repository and PackageVariant objects from files. For each variant it clones
the upstream package revision, fills in the package context, injects configuration, renders, and
commits one draft to the downstream repository: all of it in one commit, or nothing. Done again, it
changes nothing. When a variant names a newer upstream revision and its draft was published, it
makes the next draft.

Every other object in the files is a context object: what injection copies from, when it is in the
variant's namespace. Secrets are never injected; a Repository's secretRef names the one that holds
its credentials. A relative path in spec.git.repo counts from the file that it stands in.

Nothing is proposed or approved; see 'waybill rpkg'. A variant that fails leaves every branch and
tag as it was, and does not keep others from being reconciled.

Exit codes: 0 done; 1 a variant failed or is blocked; 2 wrong usage. With --exit-code: 0 nothing
changed, 1 something changed, 2 a variant failed or is blocked.`,
		Example: `  # what is wanted, into Git
  waybill reconcile -f fleet

  # what would be done, for a program
  waybill reconcile -f fleet --dry-run -o json`,
		RunE: func(cmd *cobra.Command, more []string) error { return r.runE(cmd, more) },
	}
	addFiles(cmd, &r.files)
	r.functions.add(cmd)
	r.out.add(cmd)
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "do everything but write to the repositories")
	cmd.Flags().BoolVar(&r.exitCode, "exit-code", false, "tell by the exit code whether anything changed")
	cmd.Flags().Bool("once", true, "reconcile once and end")
	return cmd
}

// runE is run with the exit codes that --exit-code promises: 1 says that something changed, so
// whatever kept it from being reconciled is a 2.
func (r *reconcile) runE(cmd *cobra.Command, more []string) error {
	err := r.run(cmd, more)
	var coded *exitError
	if err != nil && r.exitCode && !errors.As(err, &coded) {
		return &exitError{exitUsage, err}
	}
	return err
}

// run reconciles; more are paths that follow the first, as a shell makes them of "-f *.yaml".
func (r *reconcile) run(cmd *cobra.Command, more []string) error {
	if len(r.files) == 0 {
		return usage("name the files or folders with your objects by --filename")
	}
	r.files = append(r.files, more...)
	if once, err := cmd.Flags().GetBool("once"); err != nil || !once {
		return usage("this release reconciles once and ends; leave --once=false out")
	}
	if err := r.out.check(); err != nil {
		return err
	}
	factory, err := r.functions.factory()
	if err != nil {
		return err
	}
	in, err := local.Read(r.files, cmd.InOrStdin())
	if err != nil {
		return err
	}
	if len(in.Variants) == 0 {
		return fmt.Errorf("there is no PackageVariant in what --filename names")
	}
	reports := r.reconcileAll(cmd.Context(), cmd.ErrOrStderr(), in, &packagevariant.Reconciler{
		Repositories: in.Repositories(nil), Functions: factory, Context: in.Lister, DryRun: r.dryRun,
	})
	if err := r.print(cmd.OutOrStdout(), reports); err != nil {
		return err
	}
	return r.verdict(cmd.ErrOrStderr(), reports)
}

// reconcileAll reconciles every variant, in order, and shows on a terminal which one it is at.
func (r *reconcile) reconcileAll(ctx context.Context, talk io.Writer, in *local.Input, rec *packagevariant.Reconciler) []packagevariant.Report {
	progress := func(string) {}
	if f, ok := talk.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		progress = func(line string) { fmt.Fprintf(f, "\r\x1b[K%s", line) }
	}
	reports := rec.ReconcileAll(ctx, in.Variants, func(i int) {
		progress(fmt.Sprintf("[%d/%d] %s/%s", i+1, len(in.Variants), in.Variants[i].Namespace, in.Variants[i].Name))
	})
	progress("")
	for i := range reports {
		reports[i].DryRun = r.dryRun
	}
	return reports
}

func (r *reconcile) print(w io.Writer, reports []packagevariant.Report) error {
	var rows [][]string
	for _, rep := range reports {
		action, files := string(rep.Action), "-"
		if r.dryRun && (rep.Action == packagevariant.Created || rep.Action == packagevariant.Updated) {
			action = "would be " + action
		}
		if len(rep.Files) > 0 {
			files = strconv.Itoa(len(rep.Files))
		}
		message := rep.Message
		if rep.Err != nil {
			message = "see below"
		}
		rows = append(rows, []string{qualified(rep), action, orDash(rep.Draft), orDash(rep.Upstream), files, message})
	}
	return r.out.print(w, reports, []string{"VARIANT", "ACTION", "DRAFT", "UPSTREAM", "FILES", "MESSAGE"}, rows)
}

// verdict says on stderr what failed, a line each, and ends with the exit code.
func (r *reconcile) verdict(talk io.Writer, reports []packagevariant.Report) error {
	failed, changed := 0, false
	for _, rep := range reports {
		if rep.Err != nil {
			fmt.Fprintf(talk, "error: %s: %s\n", qualified(rep), oneLine(rep.Err))
			failed++
		}
		changed = changed || rep.Action == packagevariant.Created || rep.Action == packagevariant.Updated
	}
	switch {
	case failed > 0 && r.exitCode:
		return &exitError{code: exitUsage}
	case failed > 0:
		return &exitError{code: exitFailed}
	case changed && r.exitCode:
		return &exitError{code: exitFailed}
	}
	return nil
}

func qualified(rep packagevariant.Report) string {
	if rep.Namespace == "" {
		return rep.Name
	}
	return rep.Namespace + "/" + rep.Name
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
