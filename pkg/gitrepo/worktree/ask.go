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

// folder runs git in one folder.
type folder struct {
	ctx context.Context
	dir string
}

func (w *folder) git(verb string, args ...string) ([]byte, error) {
	return gitcmd.Query(w.dir, verb, args...).Run(w.ctx)
}

// line returns the output of git without the final newline; names may contain others.
func (w *folder) line(verb string, args ...string) (string, error) {
	out, err := w.git(verb, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// ignored reports whether Git ignores the whole folder and tracks no file in it. For such a folder git status prints
// nothing, although all of it is uncommitted.
func (w *folder) ignored() (bool, error) {
	_, err := w.git("check-ignore", "--quiet", "--", ".")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	known, err := w.git("ls-files", "-z", "--", ".")
	return len(known) == 0, err
}

// hidden returns the existing files that git status never prints, sorted.
func (w *folder) hidden() ([]string, error) {
	paths, err := w.ignoredFiles()
	if err != nil {
		return nil, err
	}
	known, err := w.git("ls-files", "-z", "-v", "--", ".")
	if err != nil {
		return nil, err
	}
	for _, entry := range gitcmd.Entries(known) {
		if p, marked := markedUnchanged(entry); marked && w.has(p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// ignoredFiles returns the existing files that Git ignores.
func (w *folder) ignoredFiles() (paths []string, err error) {
	out, err := w.git("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", ".")
	for _, p := range gitcmd.Entries(out) {
		paths = append(paths, strings.TrimSuffix(p, "/"))
	}
	return paths, err
}

// markedUnchanged parses a letter, a space and a path. The letter is S for skip-worktree, and in lower case for assume-unchanged.
func markedUnchanged(entry string) (p string, marked bool) {
	letter, p, _ := strings.Cut(entry, " ")
	return p, letter == "S" || letter != strings.ToUpper(letter)
}

// has reports whether p exists: a sparse checkout leaves files out.
func (w *folder) has(p string) bool {
	_, err := os.Lstat(filepath.Join(w.dir, filepath.FromSlash(p)))
	return err == nil
}

// parse reads entries of two letters, a space and a path from the root, each with a NUL at its end. Renames, with two
// paths, are switched off.
func parse(out []byte, prefix string) ([]string, error) {
	var paths []string
	for _, entry := range gitcmd.Entries(out) {
		if len(entry) < 4 || entry[2] != ' ' || strings.ContainsAny(entry[:2], "RC") {
			return nil, fmt.Errorf("git status printed an unknown line: %q", entry)
		}
		// Another repository's path ends in a slash.
		paths = append(paths, strings.TrimPrefix(strings.TrimSuffix(entry[3:], "/"), prefix))
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}
