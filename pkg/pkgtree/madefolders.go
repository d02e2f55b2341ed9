package pkgtree

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// madeFile lists the folders that a write in progress makes. It is in the staging folder of the package. After a
// killed write, those of them that are empty are removed; other empty folders belong to the user. A line holds the number
// of missing folders, counted from the end of the path, and the path. Earlier releases wrote legacyMade
// to the package's folder instead.
const (
	madeFile   = "folders"
	legacyMade = ".waybill-folders"
)

// maxMade is far above the size of the list of the largest package.
const maxMade = 64 << 20

// mkdir makes a missing folder and keeps its path. It records the path on disk first.
func (w *writer) mkdir(in *os.Root, dir string, at int, name string) error {
	if !w.recovering && !w.unshared {
		if err := w.own.record(w.in.Root, dir, at); err != nil {
			return err
		}
	}
	err := in.Mkdir(name, 0o755)
	if err == nil {
		w.made = append(w.made, dir[:at])
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return folder.WrapWrite(dir[:at], err)
}

// removeMadeFolders removes the empty folders that a killed write to the folder dir made. The
// file called name in dir lists them.
func removeMadeFolders(f *folder.Cache, dir, name string) error {
	p := path.Join(dir, name)
	st, err := f.Lstat(p)
	if st == nil || err != nil || !st.Mode().IsRegular() || st.Size() > maxMade {
		return err
	}
	list, err := f.ReadFile(p, st, os.O_RDONLY, nil)
	if err != nil {
		return err
	}
	for _, line := range slices.Backward(strings.Split(string(list), "\n")) { // children come after their parents
		count, made, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(count); err == nil && n > 0 && CheckPath(made) == nil {
			f.RemoveEmpty(path.Join(dir, made), min(n, 1+strings.Count(made, "/")))
		}
	}
	in, err := f.At(path.Dir(p), p)
	if in == nil || err != nil {
		return err
	}
	return folder.Wrap(p, in.Remove(path.Base(p)))
}
