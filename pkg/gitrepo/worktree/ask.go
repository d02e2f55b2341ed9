package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// asker asks git about one folder.
type asker struct {
	ctx context.Context
	dir string
}

func (w *asker) git(verb string, args ...string) ([]byte, error) {
	return gitcmd.Query(w.dir, verb, args...).Run(w.ctx)
}

// line is what git says, without the newline that ends it: there may be others, in names.
func (w *asker) line(verb string, args ...string) (string, error) {
	out, err := w.git(verb, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// ignored reports whether Git ignores the whole folder and has nothing in it. git status would have nothing to say of
// it, although all of it is uncommitted.
func (w *asker) ignored() (bool, error) {
	_, err := w.git("check-ignore", "--quiet", "--", ".")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // it is not
		return false, nil
	}
	if err != nil {
		return false, err
	}
	known, err := w.git("ls-files", "-z", "--", ".")
	return len(known) == 0, err
}

// hidden are the files that are there and that git status says nothing of, whatever is in them; sorted.
func (w *asker) hidden() ([]string, error) {
	ignored, err := w.git("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", ".")
	if err != nil {
		return nil, err
	}
	known, err := w.git("ls-files", "-z", "-v", "--", ".")
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range gitcmd.Entries(ignored) {
		paths = append(paths, strings.TrimSuffix(p, "/"))
	}
	for _, entry := range gitcmd.Entries(known) {
		if p, told := toldUnchanged(entry); told && w.has(p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// toldUnchanged reads a letter, a space and a path. The letter is S for skip-worktree, and a small one for assume-unchanged.
func toldUnchanged(entry string) (p string, told bool) {
	letter, p, _ := strings.Cut(entry, " ")
	return p, letter == "S" || letter != strings.ToUpper(letter)
}

// has reports whether p is there: a sparse checkout leaves files out.
func (w *asker) has(p string) bool {
	_, err := os.Lstat(filepath.Join(w.dir, filepath.FromSlash(p)))
	return err == nil
}

// parse reads entries of two letters, a space and a path from the root, each ended by a NUL. Renames would have two
// paths, and are not asked for.
func parse(out []byte, prefix string) ([]string, error) {
	var paths []string
	for _, entry := range gitcmd.Entries(out) {
		if len(entry) < 4 || entry[2] != ' ' || strings.ContainsAny(entry[:2], "RC") {
			return nil, fmt.Errorf("git status says what is not understood: %q", entry)
		}
		// Another repository's path ends in a slash.
		paths = append(paths, strings.TrimPrefix(strings.TrimSuffix(entry[3:], "/"), prefix))
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}
