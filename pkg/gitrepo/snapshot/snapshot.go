// Package snapshot reads what a folder of somebody's repository was at a commit, as that person would name the commit:
// HEAD~1, origin/main, a tag, the merge base of two.
//
// Shape: At takes a folder of a work tree, or a bare repository, and returns the Repository that it lies in; Resolve and MergeBase name
// commits; Files reads the folder at one; WorkTree is what git takes the folder for now. It asks the user's own git about
// objects that are there: nothing is fetched, nothing is written.
// Cost: two git processes to begin, one for each commit that is named, one to list a folder, and one for each 32 MiB of
// files that the caller does not have yet. The work tree takes one more, and two where files on disk are not what the
// index has.
// Trust: names of commits are never options. File systems and hooks are left out of it: fsmonitor, hooks and lazy
// fetches are switched off, and files come as they were committed, without filters. Only where a file on disk is not what
// the index has git is asked whether it has changed, and may run the filters that the user has set up.
// Errors: git's own words, on one line; *NoFolderError for a folder that a commit does not have; *OutsideError for one
// that lies in no work tree; *PartialError for a file that a partial clone does not have.
// Source: Git documentation, git-rev-parse, git-merge-base, git-ls-tree "Output format", git-cat-file "Batch output".
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// Repository is where a folder lies.
type Repository struct {
	// Root is the work tree, without symbolic links.
	Root string
	// Prefix is the folder from the root on, with slashes and without one at the end; "" for the root itself.
	Prefix string
	// Bare says that there is no work tree: Root is the repository, and Prefix is empty.
	Bare bool
}

// OutsideError says that a folder lies in no work tree.
type OutsideError struct {
	Dir string
	Err error
}

func (e *OutsideError) Error() string { return fmt.Sprintf("%q is in no Git work tree", e.Dir) }

// Unwrap returns what git said.
func (e *OutsideError) Unwrap() error { return e.Err }

// NoFolderError says that a commit has no such folder.
type NoFolderError struct{ Commit, Dir string }

func (e *NoFolderError) Error() string {
	return fmt.Sprintf("commit %s has no folder %q", e.Commit, e.Dir)
}

// At returns the repository that dir lies in, or that dir is, if it is a bare one. A folder of a work tree need not be there:
// commits may have it. Any other folder in no work tree is an *OutsideError.
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

// nearest is dir or, as long as that is not there, the folder above it, and the way from there to dir, with slashes.
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
	said, err := line(ctx, dir, "rev-parse", "--is-bare-repository", "--git-dir")
	return err == nil && said == "true\n."
}

// Resolve returns the id of the commit that a name stands for, whatever git takes for a name of one.
func (r *Repository) Resolve(ctx context.Context, name string) (string, error) {
	id, err := line(ctx, r.Root, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err == nil && id == "" || asksNothing(err) {
		if any, err := line(ctx, r.Root, "rev-list", "--max-count=1", "--all"); err == nil && any == "" {
			return "", fmt.Errorf("there is no commit %q in the repository, nor any other yet; commit something first, or name two folders", name)
		}
		return "", fmt.Errorf("there is no commit %q in the repository; in CI, fetch it first", name)
	}
	return id, err
}

// asksNothing reports whether git failed without a word, which is how it says no when told to be quiet.
func asksNothing(err error) bool {
	var failed *gitcmd.ExitError
	var exit *exec.ExitError // not when it was killed because nobody waits any more
	return errors.As(err, &failed) && failed.Output == "" && errors.As(err, &exit)
}

// MergeBase returns the best common ancestor of two commits.
func (r *Repository) MergeBase(ctx context.Context, a, b string) (string, error) {
	id, err := line(ctx, r.Root, "merge-base", "--end-of-options", a, b)
	if asksNothing(err) {
		return "", fmt.Errorf("commits %s and %s have no ancestor in common; in CI, fetch the whole history", a, b)
	}
	return id, err
}

func git(ctx context.Context, dir, stdin, verb string, args ...string) ([]byte, error) {
	call := gitcmd.Query(dir, verb, args...)
	call.Stdin, call.Env = stdin, append(call.Env, "GIT_LITERAL_PATHSPECS=1")
	out, err := call.Run(ctx)
	return out, orPartial(err)
}

// line is the output of git without the newline at its end; names may hold others.
func line(ctx context.Context, dir, verb string, args ...string) (string, error) {
	out, err := git(ctx, dir, "", verb, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}
