// Package worktree tells what a folder of somebody's Git work tree holds that is not committed: what is lost for good
// when it is written over.
//
// Shape: Changes takes a folder and returns a Status. It asks the user's own git, with the user's configuration, so
// that it says what the user sees. Nothing is written, the index included.
// Cost: seven git processes at most; git reads what changed since it last looked. None outside of Git.
// Trust: git runs no program for the repository but one, on this call's way: fsmonitor, hooks and lazy fetches are
// switched off. What remains are the clean and process commands of filters, as of Git LFS, for files that look
// changed; Git cannot compare these without. Such a command stands in the configuration of the user or in the
// repository's own .git/config, which no clone brings along; and Git refuses repositories of other users.
// Errors: git's own words, on one line; *gitcmd.MissingError when there is no git and a repository.
// Source: Git documentation, git-status, "Porcelain Format Version 1".
package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// Status is what Git says of a folder.
type Status struct {
	// Root is the work tree that the folder lies in, without symbolic links; empty when it is in none.
	Root string
	// Paths are the files that are not as they are committed: changed, staged, deleted, or unknown to Git. They are
	// relative to the folder, with slashes, sorted. A submodule or another repository within is one path; so is, as
	// ".", a folder that Git ignores whole. Single files that Git ignores are not among them.
	Paths []string
	// Hidden are the files that are there and of which Git does not say whether they changed: those that it ignores, and
	// those that it was told to take for unchanged (skip-worktree, assume-unchanged). They are named as in Paths; another
	// repository that is ignored is one path.
	Hidden []string
}

// Changes returns what is not committed in dir, which must be a folder. A folder in no work tree, as in a bare
// repository, has the zero Status.
func Changes(ctx context.Context, dir string) (*Status, error) {
	s, err := changes(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("uncommitted changes in %q: %w", dir, err)
	}
	return s, nil
}

func changes(ctx context.Context, dir string) (*Status, error) {
	found, err := inRepository(dir)
	if err != nil || !found {
		return &Status{}, err
	}
	w := &asker{ctx: ctx, dir: dir}
	root, err := w.line("rev-parse", "--show-toplevel")
	if outside(err) {
		return &Status{}, nil
	}
	if err != nil {
		return nil, err
	}
	prefix, err := w.line("rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	s := &Status{Root: filepath.FromSlash(root)}
	if ignored, err := w.ignored(); ignored || err != nil {
		s.Paths = []string{"."}
		return s, err
	}
	out, err := w.git("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none", "--", ".")
	if err != nil {
		return nil, err
	}
	if s.Paths, err = parse(out, prefix); err != nil {
		return nil, err
	}
	s.Hidden, err = w.hidden()
	return s, err
}

// inRepository reports whether dir or a folder above has what a repository has. Only then is git needed.
func inRepository(dir string) (bool, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	if at, err = filepath.EvalSymlinks(at); err != nil { // git follows links before it looks above
		return false, err
	}
	if info, err := os.Stat(at); err != nil || !info.IsDir() {
		return false, errors.Join(err, errors.New("it is not a folder"))
	}
	for {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return true, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return false, nil
		}
		at = up
	}
}

// outside reports whether git says that a folder is in no work tree. That is something else than a repository which
// is broken.
func outside(err error) bool {
	var failed *gitcmd.ExitError
	return errors.As(err, &failed) && (strings.Contains(failed.Output, "not a git repository (or any ") ||
		strings.Contains(failed.Output, "must be run in a work tree"))
}
