package sides

import (
	"context"
	"errors"
	"os"

	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// workTree reads the folder as git sees it. For a missing folder it reads what a sparse checkout left out; without such
// files a missing folder is an error.
func workTree(
	ctx context.Context, repo *commits.Repository, dir string, known commits.Known, limits pkgtree.Limits,
) (tree pkgtree.Tree, err error) {
	_, missing := os.Stat(dir)
	if missing == nil {
		tree, err = pkgtree.ReadDir(dir, limits)
	}
	if err == nil {
		tree, err = repo.WorkTree(ctx, tree, known, limits)
	}
	if err == nil && missing != nil && tree.Len() == 0 {
		err = &commits.NoFolderError{Commit: "work tree", Dir: repo.Prefix}
	}
	return tree, err
}

// readCommits reads the folder at two commits, or dir for an empty one. It reads equal files once. A folder that one side
// lacks is a package that was added or removed.
func readCommits(ctx context.Context, repo *commits.Repository, dir, was, is string) (before, after pkgtree.Tree, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	repo.Prepare(ctx, was)
	known := commits.Known{}
	var lacksAfter, lacksBefore *commits.NoFolderError
	after, err = render.ReadWith(func(limits pkgtree.Limits) (pkgtree.Tree, error) {
		if is == "" {
			return workTree(ctx, repo, dir, known, limits)
		}
		return repo.Files(ctx, is, known, limits)
	})
	if errors.As(err, &lacksAfter) {
		err = nil
	}
	if err != nil {
		return before, after, err
	}
	before, err = render.ReadWith(func(limits pkgtree.Limits) (pkgtree.Tree, error) {
		limits.MayLink = nil // rendering followed no links then
		return repo.Files(ctx, was, known, limits)
	})
	if errors.As(err, &lacksBefore) && lacksAfter == nil {
		err = nil
	}
	return before, after, err
}
