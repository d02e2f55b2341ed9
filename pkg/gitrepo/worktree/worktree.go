// Package worktree finds the uncommitted changes in a folder of a user's Git work tree, which an overwrite would destroy.
//
// Shape: Changes takes a folder and returns a Status. It runs the user's own git with the user's configuration, so that
// the result is the user's view. It writes nothing, not even the index.
// Cost: at most seven git processes; git reads the files changed since its last status. None outside of Git.
// Trust: fsmonitor, hooks and lazy fetches are switched off. git still runs the clean and process commands of filters,
// such as Git LFS, for files that look changed, because it cannot compare them otherwise. Such a command is in the
// configuration of the user or in .git/config of the repository, which clones do not copy; and Git refuses repositories
// of other users.
// Errors: git's own message, on one line; *gitcmd.MissingError for a repository without git installed.
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

// Status is the state of a folder in Git.
type Status struct {
	// Root is the work tree of the folder, without symbolic links; empty outside of any.
	Root string
	// Paths are the files that differ from the commit: changed, staged, deleted, or unknown to Git. They are relative to
	// the folder, with slashes, sorted. A submodule or another repository inside is one path, and so is, as ".", a folder
	// that Git ignores as a whole. Single ignored files are not included.
	Paths []string
	// Hidden are the existing files whose changes Git does not report: ignored ones, and those marked as unchanged
	// (skip-worktree, assume-unchanged). They are named as in Paths; another repository that is ignored is one path.
	Hidden []string
}

// Changes returns the uncommitted changes in dir, which must be a folder. A folder outside of a work tree, such as a
// bare repository, has the zero Status.
func Changes(ctx context.Context, dir string) (*Status, error) {
	s, err := changes(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("uncommitted changes in %q: %w", dir, err)
	}
	return s, nil
}

// Ignored returns the files in dir that Git ignores, as in Status; none outside of a work tree, or if Git ignores dir as a whole.
func Ignored(ctx context.Context, dir string) ([]string, error) {
	found, err := inRepository(dir)
	if err != nil || !found {
		return nil, err
	}
	w := &folder{ctx: ctx, dir: dir}
	whole, err := w.ignored()
	var paths []string
	if err == nil && !whole {
		paths, err = w.ignoredFiles()
	}
	if outside(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ignored files in %q: %w", dir, err)
	}
	return paths, nil
}

func changes(ctx context.Context, dir string) (*Status, error) {
	found, err := inRepository(dir)
	if err != nil || !found {
		return &Status{}, err
	}
	w := &folder{ctx: ctx, dir: dir}
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

// inRepository reports whether dir or a folder above it contains .git. Only then is git needed.
func inRepository(dir string) (bool, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	if at, err = filepath.EvalSymlinks(at); err != nil { // git resolves links before it searches upwards
		return false, err
	}
	if info, err := os.Stat(at); err != nil || !info.IsDir() {
		return false, errors.Join(err, errors.New("not a folder"))
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

// outside reports whether git reports a folder outside of any work tree, which is different from a broken
// repository.
func outside(err error) bool {
	var failed *gitcmd.ExitError
	return errors.As(err, &failed) && (strings.Contains(failed.Output, "not a git repository (or any ") ||
		strings.Contains(failed.Output, "must be run in a work tree"))
}
