package helm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/helm/lock"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

type lockCommand struct {
	upgrade, embed, check, dryRun bool
	plainHTTP                     bool
	out                           cli.Printer
}

func newLockCommand() *cobra.Command {
	var l lockCommand
	cmd := &cobra.Command{
		Use:   "lock [DIR]",
		Short: "Fetch the charts that configs name, and record their versions and digests",
		Long: `Lock reads the RenderHelmChart configs of the package in DIR (default: the current directory) and of
its subpackages. For each chart with a repo it fetches the archive into chartHome (default: the
folder charts beside the config), and records the exact version and the digest in a lock: for
config app.yaml, the object HelmChartLock in app.lock.yaml. A chart without repo lies in the
package: as folder NAME or archive NAME-VERSION.tgz in chartHome. Lock records its digest. Commit
locks and archives: then rendering needs no network.

A version may be exact, a range such as ^1.2, or absent for the newest release. Lock keeps the
version that it recorded for a range; --upgrade takes the newest that the range allows, as
"helm dependency update" does. If a repository serves other content for a recorded version, or an
archive in the package was changed, lock fails and changes nothing. Lock removes the archives that
only old locks name. It fetches no dependencies of charts: an archive contains them.

Credentials for http and https are those in .netrc, or in the file that NETRC names, for the host of
the repo. Those for oci:// are those of docker login or podman login.

With --embed, lock also writes the files that the configs read into objects PackageFiles, such as
app.files.yaml, which the function reads where kpt runs it. Later runs keep these up to date.

Lock writes everything or nothing.

Exit codes: 0 done; 1 failed, and nothing was written; 2 wrong usage. With --check: 0 the locks are
up to date, 1 they are not, 2 failed.`,
		Example: `  # pin the charts of the package here
  waybill helm lock

  # take newer versions within ranges; show what would change
  waybill helm lock --upgrade --dry-run

  # in CI, without network
  waybill helm lock --check`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompletePackages,
		RunE: func(cmd *cobra.Command, args []string) error {
			return cli.WithExitCode(l.check, l.run(cmd, cli.FolderArg(args, 0)))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&l.upgrade, "upgrade", false, "take the newest version that each range allows")
	f.BoolVar(&l.embed, "embed", false, "also write PackageFiles objects, for kpt")
	f.BoolVar(&l.check, "check", false, "fetch and write nothing; fail if the locks are not up to date")
	f.BoolVar(&l.dryRun, "dry-run", false, "fetch, and write nothing")
	f.BoolVar(&l.plainHTTP, "plain-http", false, "allow HTTP without encryption to a registry that is not on this machine")
	l.out.Add(cmd)
	return cmd
}

func (l *lockCommand) run(cmd *cobra.Command, dir string) error {
	if l.check && (l.upgrade || l.dryRun) {
		return cli.Usagef("--check fetches and writes nothing: leave out --upgrade and --dry-run")
	}
	name, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if !l.check && !l.dryRun {
		if err := cli.FinishWrites(cmd.ErrOrStderr(), dir); err != nil {
			return err
		}
	}
	before, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		return err
	}
	res, err := l.lock(cmd, before)
	if err == nil {
		err = context.Cause(cmd.Context())
	}
	if err == nil && !l.check && !l.dryRun {
		err = pkgtree.WriteDir(dir, before, res.Tree)
	}
	if err != nil {
		return fmt.Errorf("lock the charts of package %q: %w", filepath.Base(name), err)
	}
	if err := l.print(cmd.OutOrStdout(), filepath.Base(name), res); err != nil {
		return err
	}
	return l.finish(cmd.ErrOrStderr(), res, before.Diff(res.Tree))
}

// lock locks the charts in a package.
func (l *lockCommand) lock(cmd *cobra.Command, tree pkgtree.Tree) (*lock.Result, error) {
	o := lock.Options{Upgrade: l.upgrade, Embed: l.embed}
	if !l.check {
		progress := cli.NewProgress(cmd.ErrOrStderr())
		defer progress.Done()
		o.Fetch, o.Observe = NewFetcher(l.plainHTTP).Fetch, func(r fetch.Request) { progress.Show("fetching " + r.String()) }
	}
	return cli.Await(cmd.Context(), func() (*lock.Result, error) { return lock.Update(cmd.Context(), tree, o) })
}

// LockReport is the output of a lock.
type LockReport struct {
	metav1.TypeMeta `json:",inline"`
	Package         string     `json:"package"`
	DryRun          bool       `json:"dryRun"`
	Charts          []lock.Row `json:"charts"`
}

func (l *lockCommand) print(w io.Writer, name string, res *lock.Result) error {
	report := LockReport{
		TypeMeta: cli.TypeMeta("HelmLockReport"), Package: name, DryRun: l.dryRun || l.check, Charts: append([]lock.Row{}, res.Rows...),
	}
	return l.out.Print(w, report, []string{"CHART", "VERSION", "STATUS", "DIGEST", "REPO", "CONFIG"}, cli.Rows(res.Rows, cells))
}

func cells(r lock.Row) []string {
	version := r.Version
	if r.From != "" {
		version = r.From + " → " + version
	}
	digest := strings.TrimPrefix(r.Digest, "sha256:")
	return cli.SafeCells(r.Name, cli.OrDash(version), string(r.Status), cli.OrDash(digest[:min(len(digest), 12)]),
		cli.OrDash(fetch.Redacted(r.Repo)), r.Config)
}

// finish says what was done.
func (l *lockCommand) finish(stderr io.Writer, res *lock.Result, changed []string) error {
	switch {
	case len(res.Rows) == 0:
		fmt.Fprintf(stderr, "No %s names a chart.\n", lock.ConfigKind)
	case l.check && len(changed)+len(res.Missing()) > 0:
		err := errors.New("the locks are not up to date: run 'waybill helm lock', and commit the result")
		return &cli.ExitError{Code: cli.ExitFailed, Err: err}
	case len(changed) == 0:
		fmt.Fprintln(stderr, "The locks are up to date.")
	case l.dryRun:
		fmt.Fprintf(stderr, "Would change %d file(s); nothing was written.\n", len(changed))
	default:
		fmt.Fprintf(stderr, "Changed %d file(s).\n", len(changed))
	}
	return nil
}
