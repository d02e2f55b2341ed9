package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// MakeDir makes a new folder, dir, that holds tree; the files that programs names may be run. The folder that
// it lies in must be there, and dir must not: else the error is fs.ErrExist. It is written beside its place
// and then put there, so that all of it is there or nothing, even when the process is killed. What a process
// left beside it that was killed then is removed by the next MakeDir there, and by Finish.
func MakeDir(dir string, tree Tree, programs ...string) error {
	if err := makeDir(filepath.Clean(dir), tree, programs); err != nil {
		return fmt.Errorf("write package %q: %w", short(dir), err)
	}
	return nil
}

func makeDir(dir string, tree Tree, programs []string) (err error) {
	if _, err := os.Lstat(dir); err == nil {
		return fs.ErrExist
	}
	above, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return bare(err)
	}
	defer above.Close()
	clearBeside(above)
	tmp, held, err := newFolder(above)
	if err != nil {
		return bare(err)
	}
	defer held.Close() // which unlocks it
	if err := fill(above, tmp, tree, programs); err != nil {
		return errors.Join(err, bare(above.RemoveAll(tmp)))
	}
	if err := putAt(above, tmp, filepath.Base(dir)); err != nil {
		return errors.Join(bare(err), bare(above.RemoveAll(tmp)))
	}
	return nil
}

// clearBeside removes folders that were never put into their places.
func clearBeside(above *os.Root) {
	entries, err := fs.ReadDir(above.FS(), ".")
	if err != nil {
		return // it is not needed for writing
	}
	for _, e := range entries {
		if e.IsDir() && isTemporary(e.Name()) {
			removeStale(above, e.Name())
		}
	}
}

// newFolder makes a folder for a package that is to have another name, and locks it. Where folders cannot be
// locked, nobody takes it for stale.
func newFolder(above *os.Root) (name string, held *os.File, err error) {
	for n := range 1 << 16 {
		name = temporary + strconv.Itoa(n)
		switch err := above.Mkdir(name, 0o755); {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", nil, err
		}
		held, err := hold(above, name)
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, fs.ErrNotExist): // taken for stale
		case err != nil || isStill(above, name, held):
			return name, held, nil
		default:
			_ = held.Close() // it was removed before it was locked
		}
	}
	return "", nil, fmt.Errorf("too many %s folders beside it; remove them", temporary)
}

// isStill reports whether name is that of the folder held.
func isStill(above *os.Root, name string, held *os.File) bool {
	is, err := above.Lstat(name)
	was, wasErr := held.Stat()
	return err == nil && wasErr == nil && os.SameFile(is, was)
}

// fill writes tree to the folder called name, which is empty and which nobody reads yet.
func fill(above *os.Root, name string, tree Tree, programs []string) error {
	root, err := above.OpenRoot(name)
	if err != nil {
		return bare(err)
	}
	defer root.Close()
	w := staging{in: folders{root: root}, programs: setOf(programs), quiet: true}
	defer w.in.close()
	for p, b := range tree.All() {
		dir, base := split(p)
		in, err := w.folder(dir, p)
		if err != nil {
			return err
		}
		if _, err := create(in, base, b.Data(), w.modeOf(p)); err != nil {
			return mayWriteTo(p, err)
		}
	}
	return nil
}

// putAt gives the folder called tmp its name, unless something has that by now.
func putAt(above *os.Root, tmp, name string) error {
	if has(above, name) {
		return fs.ErrExist
	}
	return above.Rename(tmp, name)
}
