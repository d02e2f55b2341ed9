package inventory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/pkg/osfile"
)

// Files are the files of an inventory: the file itself, not a link to it, and the journal beside it.
type Files struct{ File, Journal string }

const journalSuffix = ".journal"

// FilesAt follows links to the file at path, so that all links to it share its journal. A file that does not
// exist is no error; a link to nothing is one.
func FilesAt(path string) (Files, error) {
	file, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, link := os.Readlink(path); link == nil {
			return Files{}, fmt.Errorf("inventory %s: the file is a symbolic link whose target does not exist", path)
		}
		file, err = path, nil
	}
	return Files{file, file + journalSuffix}, err
}

// Exists reports whether there is an inventory.
func (f Files) Exists() bool {
	for _, file := range []string{f.File, f.Journal} {
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// writeAtomically replaces a file: if the process is killed, the file has the old or the new content. Mode and owner stay
// those of the old file, as far as the system allows.
func writeAtomically(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = copyOwnership(f, path)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil // the file is complete, but may not survive a loss of power
	}
	defer dir.Close()
	_ = dir.Sync() // not every file system can
	return nil
}

// copyOwnership gives a file the owner and the mode of another, if that exists.
func copyOwnership(f *os.File, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if old, known := osfile.OwnerOf(info); known && f.Chown(old.User, old.Group) != nil {
		_ = f.Chown(-1, old.Group) // only root can change the owner; users who share a file share its group
	}
	return f.Chmod(info.Mode().Perm())
}
