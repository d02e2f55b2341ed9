package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// MakeDir makes a new folder, dir, that holds tree; the files that programs names may be run. The folder that
// it lies in must be there, and dir must not: else the error is fs.ErrExist. It is written beside its place
// and then put there, so that all of it is there or nothing, even when the process is killed. What a process
// that was killed has left in the folders above is removed by the next MakeDir there, and by Finish.
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
	_, _ = sweepAbove(dir) // what cannot be swept is in no one's way
	tmp, held, err := newFolder(above)
	if err != nil {
		return bare(err)
	}
	defer held.Close() // which unlocks it
	waits := filepath.Join(tmp, packageName)
	err = bare(above.Mkdir(waits, 0o755))
	if err == nil {
		err = fill(above, waits, tree, programs)
	}
	if err == nil {
		err = bare(putAt(above, waits, filepath.Base(dir)))
	}
	return errors.Join(err, bare(removeFolder(above, tmp)))
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
