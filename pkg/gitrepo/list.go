package gitrepo

import (
	"fmt"
	"path"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Listed is a file of a directory, including links, submodules, and files with names invalid in packages.
type Listed struct {
	Path       string // within the directory
	Executable bool
}

// List names the files of a directory of a commit, in the order of Git's trees, without reading their
// contents. It skips the remains of an interrupted write of Waybill, see pkgtree.IsWorkName. A directory that does not exist
// has no files.
func (r *Repo) List(commit Hash, dir string) ([]Listed, error) {
	id, err := r.findDir(commit, dir)
	if err != nil || id.IsZero() {
		return nil, err
	}
	l := lister{repo: r, left: r.limits.Files}
	if err := l.walk(id, "", 0); err != nil {
		return nil, fmt.Errorf("repository %q: directory %q at %s: %w", r.URL(), dir, commit, err)
	}
	return l.found, nil
}

type lister struct {
	repo  *Repo
	left  int // files and directories that may still be seen
	found []Listed
}

// walk lists a tree, whose path ends in a slash or is empty.
func (l *lister) walk(id Hash, dir string, depth int) error {
	if depth > maxDirDepth {
		return fmt.Errorf("%s: directories nest deeper than %d", dir, maxDirDepth)
	}
	entries, err := readTree(l.repo, id)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if l.left--; l.left < 0 {
			return fmt.Errorf("more than %d files and directories", l.repo.limits.Files)
		}
		if err := l.take(e, dir+e.name, depth); err != nil {
			return err
		}
	}
	return nil
}

func (l *lister) take(e entry, at string, depth int) error {
	switch {
	case pkgtree.IsWorkName(e.name):
		return nil
	case e.isDir():
		return l.walk(e.id, at+"/", depth+1)
	}
	l.found = append(l.found, Listed{Path: at, Executable: e.isExecutable()})
	return nil
}

// FindPackages returns the topmost directories at or below dir that hold a Kptfile, in path
// order. It does not search inside packages, nor follow links. A directory that does not exist has no packages.
func (r *Repo) FindPackages(commit Hash, dir string) ([]string, error) {
	id, err := r.findDir(commit, dir)
	if err != nil || id.IsZero() {
		return nil, err
	}
	f := finder{repo: r, left: r.limits.Files}
	if err := f.walk(id, dir, 0); err != nil {
		return nil, fmt.Errorf("repository %q: find packages at %s: %w", r.URL(), commit, err)
	}
	return f.found, nil
}

type finder struct {
	repo  *Repo
	left  int // directories that may still be entered
	found []string
}

func (f *finder) walk(id Hash, dir string, depth int) error {
	if f.left--; f.left < 0 || depth > maxDirDepth {
		return fmt.Errorf("%s: too many directories", dir)
	}
	entries, err := readTree(f.repo, id)
	if err != nil {
		return err
	}
	if e, ok := find(entries, "Kptfile"); ok && e.isRegular() {
		f.found = append(f.found, dir)
		return nil
	}
	for _, e := range entries {
		if e.isDir() && pkgtree.CheckPath(e.name) == nil {
			if err := f.walk(e.id, path.Join(dir, e.name), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
