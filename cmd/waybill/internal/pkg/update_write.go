package pkg

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/worktree"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// update reads the package, updates it, and writes it unless this is a dry run or conflicts stop it.
func (u *updateCommand) update(
	ctx context.Context, progress *fetchProgress, dir string, o upstream.UpdateOptions,
) (before pkgtree.Tree, did *upstream.UpdateResult, err error) {
	if before, err = pkgtree.ReadDir(dir, pkgtree.Limits{}); err != nil {
		return before, nil, err
	}
	src, err := Source(&u.functions.CacheFlags, &u.registry)
	if err != nil {
		return before, nil, err
	}
	charts := u.newCharts(before, progress)
	o.Render = charts.rendering(o.Render)
	if did, err = upstream.Update(ctx, src, before, o); charts.err != nil {
		err = charts.err
	}
	if err != nil || u.stopped(did) {
		return before, did, err
	}
	locked, err := charts.lock(ctx, did)
	if err != nil {
		return before, did, err
	}
	u.locked = locked.Rows
	if err := u.guardHidden(progress, before, did.Tree); err != nil || u.dryRun {
		return before, did, err
	}
	if err := context.Cause(ctx); err != nil {
		return before, nil, err
	}
	if err := pkgtree.WriteDir(dir, before, did.Tree, newPrograms(before, did)...); err != nil {
		return before, nil, err
	}
	return before, did, nil
}

// newPrograms returns the executable files that are new from upstream. The mode of a file that exists here is left to its
// owner.
func newPrograms(before pkgtree.Tree, did *upstream.UpdateResult) []string {
	return slices.DeleteFunc(slices.Clone(did.Executable), func(file string) bool {
		return before.Blob(file) != nil || did.Tree.Blob(file) == nil
	})
}

// stopped reports whether conflicts stop the update.
func (u *updateCommand) stopped(did *upstream.UpdateResult) bool {
	return merge.Prefer(u.onConflict) == merge.Fail && len(did.Conflicts) > 0
}

// renderer returns a function that renders a package of that name, or nil if functions are not to run.
func (u *updateCommand) renderer(name string) (upstream.Render, error) {
	if u.base != "rendered" {
		return nil, nil
	}
	factory, err := u.functions.NewFactory()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
		res, err := render.Render(ctx, tree, render.Options{Functions: factory, Name: name, Cache: u.functions.RenderCache()})
		if err != nil {
			return pkgtree.Tree{}, err
		}
		return res.Tree, nil
	}, nil
}

// mostNamed limits how many files a message names.
const mostNamed = 10

// guard refuses to update over changes that Git could not restore. A dry run only prints a warning.
func (u *updateCommand) guard(ctx context.Context, progress *fetchProgress, dir string) error {
	if u.allowDirty {
		return nil
	}
	status, err := worktree.Changes(ctx, dir)
	if err != nil {
		return fmt.Errorf("%w; --allow-dirty skips this check", err)
	}
	u.hidden = status.Hidden
	switch {
	case status.Root == "":
		progress.printf("%q is in no Git work tree: Git cannot undo this update.", dir)
	case len(status.Paths) > 0 && u.dryRun:
		progress.printf("%s; without --dry-run the update refuses that, unless --allow-dirty is set.", uncommittedMessage(dir, status.Paths))
	case len(status.Paths) > 0:
		return fmt.Errorf("%s; commit or stash the changes first, so that you can undo the update, or overwrite them with --allow-dirty",
			uncommittedMessage(dir, status.Paths))
	}
	return nil
}

// guardHidden refuses to change or delete files that Git may not hold. A dry run only prints a warning.
func (u *updateCommand) guardHidden(progress *fetchProgress, before, after pkgtree.Tree) error {
	lost := u.lost(before, after)
	if len(lost) == 0 {
		return nil
	}
	words := "the update would change or delete files that Git ignores or skips, and cannot restore: " + fileList(lost)
	if u.dryRun {
		progress.printf("%s; without --dry-run the update refuses that, unless --allow-dirty is set.", words)
		return nil
	}
	return fmt.Errorf("%s; move them out of the package, or add them to Git (git add -f, git update-index --no-skip-worktree "+
		"--no-assume-unchanged) and commit them, or overwrite them with --allow-dirty", words)
}

// lost returns the hidden files that the update changes or deletes. Adding merge marks loses nothing.
func (u *updateCommand) lost(before, after pkgtree.Tree) []string {
	if len(u.hidden) == 0 {
		return nil
	}
	marked := merge.AddMarks(before)
	return slices.DeleteFunc(before.Diff(after), func(file string) bool {
		hidden := slices.ContainsFunc(u.hidden, func(p string) bool { return file == p || strings.HasPrefix(file, p+"/") })
		now, same := after.Blob(file), marked.Blob(file)
		return !hidden || now != nil && same != nil && now.Equal(same)
	})
}

func uncommittedMessage(dir string, paths []string) string {
	if len(paths) == 1 && paths[0] == "." {
		return fmt.Sprintf("package %q is not in Git, which ignores it", dir)
	}
	return fmt.Sprintf("package %q has uncommitted changes: %s", dir, fileList(paths))
}

func fileList(paths []string) string {
	named, more := paths[:min(len(paths), mostNamed)], ""
	if n := len(paths) - len(named); n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return strings.Join(named, ", ") + more
}
