// Package snapshot reads a folder of a user's repository at a commit with a name in git's syntax: HEAD~1, origin/main, a tag,
// the merge base of two commits.
//
// Shape: At takes a folder of a work tree, or a bare repository, and returns its Repository; Resolve and MergeBase return the
// ids of commits; Files reads the folder at a commit; WorkTree returns the folder as git sees it now. It runs the user's own
// git on existing objects, fetches nothing and writes nothing.
// Cost: two git processes for At, one per resolved commit, one to list a folder, and one to read the files that the caller does
// not know, or if these are thousands one for each processor. The work tree takes one more, and two if files on disk differ from the index.
// Trust: names of commits are never options. fsmonitor, hooks and lazy fetches are switched off, and files are read as
// committed, without filters. Only if a file on disk differs from the index does git compare it, for which git may run the
// filters that the user has configured.
// Errors: git's own message, on one line; *NoFolderError for a folder missing from a commit; *OutsideError for a folder
// outside of any work tree; *PartialError for a file missing from a partial clone.
// Source: Git documentation, git-rev-parse, git-merge-base, git-ls-tree "Output format", git-cat-file "Batch output".
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// Repository is the repository of a folder.
type Repository struct {
	// Root is the work tree, without symbolic links.
	Root string
	// Prefix is the path of the folder below the root, with slashes and without one at the end; "" for the root.
	Prefix string
	// Bare: there is no work tree, Root is the repository, and Prefix is empty.
	Bare bool

	prepared map[string]func() ([]byte, error) // by commit, what lsTree returns
}

// OutsideError is the error for a folder outside of any work tree.
type OutsideError struct {
	Dir string
	Err error
}

func (e *OutsideError) Error() string { return fmt.Sprintf("%q is in no Git work tree", e.Dir) }

// Unwrap returns the error of git.
func (e *OutsideError) Unwrap() error { return e.Err }

// NoFolderError is the error for a folder missing from a commit.
type NoFolderError struct{ Commit, Dir string }

func (e *NoFolderError) Error() string {
	return fmt.Sprintf("commit %s has no folder %q", e.Commit, e.Dir)
}

// At returns the repository of dir, which may itself be a bare one. A folder of a work tree need not exist: commits may have it.
// Any other folder outside of a work tree is an *OutsideError.
func At(ctx context.Context, dir string) (*Repository, error) {
	above, below, err := nearest(dir)
	if err != nil {
		return nil, err
	}
	r, err := at(ctx, above)
	var outside *OutsideError
	if below == "" || err != nil && !errors.As(err, &outside) {
		return r, err
	}
	if err != nil || r.Bare {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	r.Prefix = path.Join(r.Prefix, below)
	return r, nil
}

// nearest returns dir or, if missing, the closest existing folder above it, and the path from there to dir, with slashes.
func nearest(dir string) (there, below string, err error) {
	st, err := os.Stat(dir)
	switch {
	case err == nil && !st.IsDir():
		return "", "", fmt.Errorf("%q is not a folder", dir)
	case err == nil:
		return dir, "", nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", "", err
	}
	abs, bad := filepath.Abs(dir)
	if bad != nil || filepath.Dir(abs) == abs {
		return "", "", err
	}
	there, below, bad = nearest(filepath.Dir(abs))
	if bad != nil {
		return "", "", err
	}
	return there, path.Join(below, filepath.Base(abs)), nil
}

func at(ctx context.Context, dir string) (*Repository, error) {
	root, err := line(ctx, dir, "rev-parse", "--show-toplevel")
	var failed *gitcmd.ExitError
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.Output, "must be run in a work tree") && isBare(ctx, dir):
		return &Repository{Root: dir, Bare: true}, nil
	case failed != nil && (strings.Contains(failed.Output, "not a git repository") ||
		strings.Contains(failed.Output, "must be run in a work tree")):
		return nil, &OutsideError{Dir: dir, Err: err}
	case err != nil:
		return nil, err
	}
	prefix, err := line(ctx, dir, "rev-parse", "--show-prefix")
	return &Repository{Root: filepath.FromSlash(root), Prefix: strings.TrimSuffix(prefix, "/")}, err
}

// isBare reports whether dir is a bare repository, and not a folder in one.
func isBare(ctx context.Context, dir string) bool {
	out, err := line(ctx, dir, "rev-parse", "--is-bare-repository", "--git-dir")
	return err == nil && out == "true\n."
}

// Resolve returns the id of the commit with a name in any form that git accepts.
func (r *Repository) Resolve(ctx context.Context, name string) (string, error) {
	id, err := line(ctx, r.Root, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err == nil && id == "" || isQuietNo(err) {
		if any, err := line(ctx, r.Root, "rev-list", "--max-count=1", "--all"); err == nil && any == "" {
			return "", fmt.Errorf("there is no commit %q in the repository, nor any other yet; commit something first, or name two folders", name)
		}
		return "", fmt.Errorf("there is no commit %q in the repository; in CI, fetch it first", name)
	}
	return id, err
}

// isQuietNo reports whether git failed without output, its answer "no" with --quiet.
func isQuietNo(err error) bool {
	var failed *gitcmd.ExitError
	var exit *exec.ExitError // absent if the end of the context killed it
	return errors.As(err, &failed) && failed.Output == "" && errors.As(err, &exit)
}

// MergeBase returns the best common ancestor of two commits.
func (r *Repository) MergeBase(ctx context.Context, a, b string) (string, error) {
	id, err := line(ctx, r.Root, "merge-base", "--end-of-options", a, b)
	if isQuietNo(err) {
		return "", fmt.Errorf("commits %s and %s have no ancestor in common; in CI, fetch the whole history", a, b)
	}
	return id, err
}

func git(ctx context.Context, dir, verb string, args ...string) ([]byte, error) {
	call := gitcmd.Query(dir, verb, args...)
	call.Env = append(call.Env, "GIT_LITERAL_PATHSPECS=1")
	out, err := call.Run(ctx)
	return out, orPartial(err)
}

func stream(ctx context.Context, dir, stdin string, read func(io.Reader) error, verb string, args ...string) error {
	call := gitcmd.Query(dir, verb, args...)
	call.Stdin, call.Env = stdin, append(call.Env, "GIT_LITERAL_PATHSPECS=1")
	return orPartial(call.Stream(ctx, read))
}

// line returns the output of git without the final newline; names may contain others.
func line(ctx context.Context, dir, verb string, args ...string) (string, error) {
	out, err := git(ctx, dir, verb, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}
