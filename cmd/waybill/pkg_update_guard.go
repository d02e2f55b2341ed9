package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/worktree"
)

// mostDirty is how many files are named that are in the way of an update.
const mostDirty = 10

// finish does what is left of a write that was killed, so that what the guard sees is the package.
func (u *pkgUpdate) finish(talk *pkgProgress, dir string) error {
	if u.dryRun {
		return nil // which reads the package as if that had been done
	}
	return finishWrites(talk.out, dir)
}

// guard refuses to update over what Git could not give back. A dry run only tells.
func (u *pkgUpdate) guard(ctx context.Context, talk *pkgProgress, dir string) error {
	if u.allowDirty {
		return nil
	}
	status, err := worktree.Changes(ctx, dir)
	switch {
	case err != nil:
		return fmt.Errorf("%w; --allow-dirty does without looking", err)
	case status.Root == "":
		talk.say("%q is in no Git work tree: Git cannot undo this update.", dir)
	case len(status.Paths) > 0 && u.dryRun:
		talk.say("%s; without --dry-run that is refused, but for --allow-dirty.", dirtyWords(dir, status.Paths))
	case len(status.Paths) > 0:
		return fmt.Errorf("%s; commit or stash that first, so that the update can be undone, or update over it with --allow-dirty",
			dirtyWords(dir, status.Paths))
	}
	return nil
}

// dirtyWords name what is not committed, up to a bound.
func dirtyWords(dir string, paths []string) string {
	if len(paths) == 1 && paths[0] == "." {
		return fmt.Sprintf("package %q is nowhere in Git, which ignores it", dir)
	}
	named, more := paths[:min(len(paths), mostDirty)], ""
	if n := len(paths) - len(named); n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf("package %q has uncommitted changes: %s%s", dir, strings.Join(named, ", "), more)
}
