package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fleet/publish"
	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// revisionFlags say which revision is published.
type revisionFlags struct{ revision, branch string }

func (f *revisionFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.revision, "revision", "", "`COMMIT`, or tag of the package such as v3 (default: HEAD, if nothing is uncommitted)")
	cmd.Flags().StringVar(&f.branch, "branch", "main", "`BRANCH` that has approved commits: of the remote origin, if it is there")
	find := func(ctx context.Context, args []string, _ string) ([]cli.Proposal, error) {
		dir := "."
		if len(args) > 0 {
			dir = args[0]
		}
		refs, err := cli.FindRefs(ctx, dir)
		return cli.Texts(refs...), err
	}
	cli.CompleteFlag(cmd, "revision", find, cobra.ShellCompDirectiveNoFileComp)
	cli.CompleteFlag(cmd, "branch", find, cobra.ShellCompDirectiveNoFileComp)
}

// read reads the folder at the revision, and tells p about the revision.
func (f *revisionFlags) read(ctx context.Context, dir string, p *publish.Publisher) (tree pkgtree.Tree, err error) {
	repo, err := commits.At(ctx, dir)
	var outside *commits.OutsideError
	if errors.As(err, &outside) {
		return tree, fmt.Errorf("%w: only committed and approved files are published", err)
	}
	if err != nil {
		return tree, err
	}
	if p.Commit, err = f.resolve(ctx, repo); err != nil {
		return tree, err
	}
	if p.Number, err = f.position(ctx, repo, p.Commit); err != nil {
		return tree, err
	}
	limits := render.InputFiles
	limits.MayLink = nil // nothing is rendered
	known := commits.Known{}
	if tree, err = repo.Files(ctx, p.Commit, known, limits); err != nil {
		return tree, err
	}
	if f.revision == "" && !repo.Bare {
		if err := checkCommitted(ctx, repo, dir, tree, known, limits); err != nil {
			return tree, err
		}
	}
	tags, err := repo.TagsAt(ctx, p.Commit)
	p.Revision, p.Path = nameOf(p.Commit, tags), repo.Prefix
	p.Older = func(ctx context.Context, commit string) (bool, error) { return repo.IsAncestor(ctx, commit, p.Commit) }
	return tree, err
}

// resolve returns the commit of the revision. A tag of the package comes before other names.
func (f *revisionFlags) resolve(ctx context.Context, repo *commits.Repository) (string, error) {
	if f.revision == "" {
		return repo.Resolve(ctx, "HEAD")
	}
	if repo.Prefix != "" {
		if id, err := repo.Resolve(ctx, "refs/tags/"+path.Join(repo.Prefix, f.revision)); err == nil {
			return id, nil
		}
	}
	return repo.Resolve(ctx, f.revision)
}

// position returns how many commits the branch had with this one. It refuses a commit to which the branch never pointed.
func (f *revisionFlags) position(ctx context.Context, repo *commits.Repository, commit string) (int, error) {
	branch, err := repo.Branch(ctx, f.branch)
	if err != nil {
		return 0, err
	}
	n, err := repo.Position(ctx, commit, branch)
	if err != nil || n > 0 {
		return n, err
	}
	return 0, fmt.Errorf("commit %s is not approved: the branch %s never pointed to it; merge or approve it, fetch the branch, and publish "+
		"what it has then", short(commit), (commits.Ref{Name: branch}).Short())
}

// checkCommitted refuses a folder whose files are not as committed.
func checkCommitted(
	ctx context.Context, repo *commits.Repository, dir string, committed pkgtree.Tree, known commits.Known, limits pkgtree.Limits,
) error {
	disk, err := pkgtree.ReadDir(dir, render.InputFiles)
	if err != nil {
		return err
	}
	if disk, err = repo.WorkTree(ctx, disk, known, limits); err != nil {
		return err
	}
	differ := committed.Diff(disk)
	if len(differ) == 0 {
		return nil
	}
	return fmt.Errorf("the folder differs from the commit in %s, for example %q: commit the change and have it approved, or name the commit "+
		"to publish by --revision", selection.Count(len(differ), "file"), path.Join(repo.Prefix, differ[0]))
}

var numbered = lazyregexp.New(`^v([0-9]{1,9})$`)

// nameOf is the tag of a revision: that of the package with the highest number, or else the start of the commit's id.
func nameOf(commit string, tags []string) string {
	number := func(tag string) int {
		m := numbered.FindStringSubmatch(tag)
		if m == nil {
			return -1
		}
		n, _ := strconv.Atoi(m[1])
		return n
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return number(tag) < 0 })
	if len(tags) == 0 {
		return "sha-" + short(commit)
	}
	return slices.MaxFunc(tags, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
}

func short(commit string) string { return commit[:min(12, len(commit))] }

// by is the value of --by.
func by(text string) (string, error) {
	if text == publish.ByCluster {
		return text, nil
	}
	key, ok := strings.CutPrefix(text, publish.ByLabel)
	if !ok || key == "" {
		return "", cli.Usagef("--by %q: want %s or label=KEY", text, publish.ByCluster)
	}
	return text, nil
}
