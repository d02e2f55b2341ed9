package pkgtree

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// MakeDir makes a new folder, dir, that holds tree; the files in programs are executable. The parent of dir must
// exist; if dir exists, the error is fs.ErrExist. MakeDir writes the folder beside its place
// and then renames it, so that it appears with all its files or not at all, even when the process is killed. What a killed
// process left in the parents is removed by the next MakeDir there, and by Recover.
func MakeDir(dir string, tree Tree, programs ...string) error {
	if err := makeDir(filepath.Clean(dir), tree, programs); err != nil {
		return fmt.Errorf("write package %q: %w", folder.Short(dir), err)
	}
	return nil
}

func makeDir(dir string, tree Tree, programs []string) (err error) {
	if _, err := os.Lstat(dir); err == nil {
		return fs.ErrExist
	}
	parents, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return folder.Cause(err)
	}
	defer parents.Close()
	_, _ = sweepParents(dir) // what cannot be swept does no harm
	tmp, held, err := newStagingFolder(parents)
	if err != nil {
		return folder.Cause(err)
	}
	defer held.Close() // and unlocks it
	staged := filepath.Join(tmp, packageName)
	err = folder.Cause(parents.Mkdir(staged, 0o755))
	if err == nil {
		err = fill(parents, staged, tree, programs)
	}
	if err == nil {
		err = folder.Cause(renameNew(parents, staged, filepath.Base(dir)))
	}
	return errors.Join(err, folder.Cause(removeStagingFolder(parents, tmp)))
}

// fill writes tree to the folder called name, which is empty and which no other process reads yet.
func fill(parents *os.Root, name string, tree Tree, programs []string) error {
	root, err := parents.OpenRoot(name)
	if err != nil {
		return folder.Cause(err)
	}
	defer root.Close()
	w := newWriter(root)
	defer w.close()
	w.to, w.programs, w.unshared = tree, sets.New(programs...), true
	return cmp.Or(inParts(w, tree.Paths(), (*writer).createAll)...)
}

// createAll creates the files of these paths.
func (w *writer) createAll(paths []string) error {
	for _, p := range paths {
		dir, base := folder.Split(p)
		in, err := w.folder(dir, p)
		if err != nil {
			return err
		}
		w.to.Blob(p).View(func(data []byte) { _, err = folder.Create(in, base, data, w.modeOf(p)) })
		if err != nil {
			return folder.WrapWrite(p, err)
		}
	}
	return nil
}

// renameNew renames the folder tmp to name, unless that exists by now.
func renameNew(parents *os.Root, tmp, name string) error {
	if folder.Exists(parents, name) {
		return fs.ErrExist
	}
	return parents.Rename(tmp, name)
}
