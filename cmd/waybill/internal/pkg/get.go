package pkg

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// getCommand holds the flags of one `waybill pkg get`.
type getCommand struct {
	strategy   string
	deployment bool
	cache      cli.CacheFlags
	out        cli.Printer
}

func newGetCommand() *cobra.Command {
	var g getCommand
	cmd := &cobra.Command{
		Use:   "get REPO[.git]/DIR[@REF] [DEST]",
		Short: "Fetch a package, and write down where it came from",
		Long: `Get fetches the package in folder DIR of a Git repository at REF: a tag, a branch or a commit
(default: the default branch). For DIR edge/web and REF v1 a tag edge/web/v1 or edge/v1 comes before
v1. ".git" says where the repository ends; repositories of github.com and bitbucket.org need
none.

The package is put into the folder DEST, or, if there is one already, into a new folder in it
(default: a new folder here), which is named after DIR and must not exist. It is there when all of
it is, and not before. Its name becomes that of the folder. Its Kptfile, made if there is none,
says which repository, ref and commit it is of; so do those of subpackages that name an upstream,
which are fetched with it. Objects are marked, so that an update knows them under another name.

Symbolic links and submodules are not part of packages and are left out, with a warning. A name and
password in the URL are used and not written down.

Exit codes: 0 done; 1 failed, and nothing was written; 2 wrong usage.`,
		Example: `  # into a new folder edge
  waybill pkg get https://git.example.com/blueprints.git/edge@v1

  # an instance for a cluster, under a name of its own
  waybill pkg get https://git.example.com/blueprints.git/edge@v1 edge-berlin --for-deployment`,
		Args: cli.Args(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			defer func() { g.cache.Warn(cmd.ErrOrStderr()) }()
			return g.run(cmd, args[0], cli.FolderArg(args, 1))
		},
	}
	addStrategy(cmd, &g.strategy, string(merge.ResourceMerge), "how the package is to be updated")
	cmd.Flags().BoolVar(&g.deployment, "for-deployment", false,
		"the package is for a cluster: give it a package context, package-context.yaml")
	addFetchCache(cmd, &g.cache)
	g.out.Add(cmd)
	return cmd
}

func (g *getCommand) run(cmd *cobra.Command, target, dest string) error {
	from, err := g.check(target)
	if err != nil {
		return err
	}
	if dest, err = cli.Destination(dest, upstream.NameOf(from)); err != nil {
		return err
	}
	name := filepath.Base(dest)
	progress := &fetchProgress{out: cmd.ErrOrStderr(), root: name}
	got, err := upstream.Get(cmd.Context(), gitSource(&g.cache), from, upstream.GetOptions{
		Name: name, Strategy: merge.Strategy(g.strategy), Deployment: g.deployment, Observe: progress.observe,
	})
	if err == nil {
		err = context.Cause(cmd.Context())
	}
	if err == nil {
		err = cli.MakePackage(dest, got.Tree, got.Executable)
	}
	if err != nil {
		return fmt.Errorf("get package %q: %w", name, err)
	}
	progress.printf("Fetched %d package(s).", len(got.Packages))
	progress.leftOut(got.LeftOut)
	if got.Packages[0].Lock.Repo != from.Repo {
		progress.printf("warning: the credentials in the URL are not written down; updates will ask Git's credential helpers for some")
	}
	return g.print(cmd.OutOrStdout(), name, dest, got)
}

// check validates flags and arguments.
func (g *getCommand) check(target string) (kptfilev1.Git, error) {
	if err := g.out.Check(); err != nil {
		return kptfilev1.Git{}, err
	}
	if err := checkStrategy(g.strategy); err != nil {
		return kptfilev1.Git{}, err
	}
	from, err := upstream.ParseTarget(target)
	if err != nil {
		return from, cli.Usagef("%w", err)
	}
	from.Repo, err = absoluteRepo(from.Repo)
	return from, err
}

// GetReport is the output: what was fetched.
type GetReport struct {
	Package     string             `json:"package"`
	Destination string             `json:"destination"`
	Packages    []upstream.Fetched `json:"packages"`
	LeftOut     []upstream.LeftOut `json:"leftOut"`
}

func (g *getCommand) print(w io.Writer, name, dest string, got *upstream.GetResult) error {
	var rows [][]string
	for _, f := range got.Packages {
		rows = append(rows, cli.SafeCells(f.Package, f.Lock.Ref, f.Lock.Commit, f.Lock.Repo, f.Lock.Directory))
	}
	data := GetReport{name, filepath.ToSlash(dest), got.Packages, append([]upstream.LeftOut{}, got.LeftOut...)}
	return g.out.Print(w, data, []string{"PACKAGE", "REF", "COMMIT", "REPOSITORY", "DIRECTORY"}, rows)
}
