package pkg

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

type getCommand struct {
	strategy   string
	deployment bool
	cache      cli.CacheFlags
	registry   RegistryFlags
	out        cli.Printer
}

func newGetCommand() *cobra.Command {
	var g getCommand
	cmd := &cobra.Command{
		Use:   "get REPO[.git]/DIR[@REF]|oci://HOST/REPO[:TAG][@DIGEST] [DEST]",
		Short: "Fetch a package, and record its upstream",
		Long: `Get fetches the package in folder DIR of a Git repository at REF: a tag, a branch or a commit
(default: the default branch). For DIR edge/web and REF v1, the tags edge/web/v1 and edge/v1 have
precedence over v1. ".git" marks the end of the repository; repositories of github.com and
bitbucket.org need no mark.

Get also fetches the package that a registry has under a tag or a digest. Its Kptfile records
oci://HOST/REPO as the repository, and tag and digest as ref and commit. With --verify-key, that key
of cosign must have signed all that get fetches.

Get creates the folder DEST or, if DEST exists, a new folder in it, named after DIR (default: a new
folder here). It creates the folder complete or not at all. The package gets the name of the folder.
Its Kptfile, which get adds if there is none, records repository, ref and commit, and so do the
Kptfiles of subpackages with an upstream, which get fetches too. Merge marks in objects let an
update recognise renamed objects.

Get leaves out symbolic links and submodules, with a warning. It uses a name and password in the
URL, and does not store them.

Exit codes: 0 done; 1 failed, and nothing was written; 2 wrong usage.`,
		Example: `  # into a new folder edge
  waybill pkg get https://git.example.com/blueprints.git/edge@v1

  # from a registry
  waybill pkg get oci://registry.example.com/blueprints/edge:v1 edge-zurich

  # an instance for a cluster, with its own name
  waybill pkg get https://git.example.com/blueprints.git/edge@v1 edge-berlin --for-deployment`,
		Args:              cli.Args(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: completeSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			defer func() { g.cache.Warn(cmd.ErrOrStderr()) }()
			return g.run(cmd, args[0], cli.FolderArg(args, 1))
		},
	}
	AddStrategy(cmd, &g.strategy, string(merge.ResourceMerge), "how later updates merge the package")
	cmd.Flags().BoolVar(&g.deployment, "for-deployment", false,
		"add a package context for a cluster, package-context.yaml")
	addFetchCache(cmd, &g.cache)
	g.registry.Add(cmd)
	g.registry.AddVerify(cmd)
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
	src, err := Source(&g.cache, &g.registry)
	if err != nil {
		return err
	}
	got, err := upstream.Get(cmd.Context(), src, from, upstream.GetOptions{
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
	sayMissing(progress, dest, got.Tree)
	if got.Packages[0].Lock.Repo != from.Repo {
		progress.printf("warning: the credentials in the URL are not stored; updates ask Git's credential helpers")
	}
	return g.print(cmd.OutOrStdout(), name, dest, got)
}

func (g *getCommand) check(target string) (kptfilev1.Git, error) {
	if err := CheckStrategy(g.strategy); err != nil {
		return kptfilev1.Git{}, err
	}
	from, err := upstream.ParseTarget(target)
	if err != nil {
		return from, cli.Usagef("%w", err)
	}
	if oci.IsURL(from.Repo) && from.Ref == "" {
		return from, cli.Usagef("%q names neither a tag nor a digest: append :TAG or @sha256:DIGEST", target)
	}
	if !strings.Contains(from.Repo, "://") && gitrepo.IsLocal(from.Repo) {
		from.Repo, err = filepath.Abs(from.Repo)
	}
	return from, err
}

// GetReport is the output: what was fetched.
type GetReport struct {
	metav1.TypeMeta `json:",inline"`
	Package         string             `json:"package"`
	Destination     string             `json:"destination"`
	Packages        []upstream.Fetched `json:"packages"`
	LeftOut         []upstream.LeftOut `json:"leftOut"`
}

func (g *getCommand) print(w io.Writer, name, dest string, got *upstream.GetResult) error {
	var rows [][]string
	for _, f := range got.Packages {
		rows = append(rows, cli.SafeCells(f.Package, f.Lock.Ref, f.Lock.Commit, f.Lock.Repo, f.Lock.Directory))
	}
	data := GetReport{
		TypeMeta: cli.TypeMeta("PackageGetReport"), Package: name, Destination: filepath.ToSlash(dest),
		Packages: got.Packages, LeftOut: append([]upstream.LeftOut{}, got.LeftOut...),
	}
	return g.out.Print(w, data, []string{"PACKAGE", "REF", "COMMIT", "REPOSITORY", "DIRECTORY"}, rows)
}
