package pkgtree

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// parents are the folders above dir, innermost first, with symbolic links resolved.
func parents(dir string) (out []string) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(real, filepath.Base(abs))
	}
	for up := filepath.Dir(abs); up != abs; abs, up = up, filepath.Dir(up) {
		out = append(out, up)
	}
	return out
}

// sweepParents finishes or removes what killed writes of this user left in the parents of dir, and reports whether there
// was any. It ignores what other users left there: they could make this user write to files for them.
func sweepParents(dir string) (did bool, err error) {
	up := parents(dir)
	for i := range up {
		swept, err := sweepParent(up[i:])
		did = did || swept
		if err != nil {
			return did, err
		}
	}
	return did, nil
}

// sweepParent sweeps the first of up; the others are its parents. It sweeps all of it if it is a package that was written to,
// else only the new packages that were prepared in it.
func sweepParent(up []string) (did bool, err error) {
	root, err := os.OpenRoot(up[0])
	if err != nil {
		return false, nil
	}
	defer root.Close()
	names := ownStagingIn(root)
	for _, name := range names {
		if folder.Exists(root, filepath.Join(name, madeFile)) {
			return recoverDir(up[0])
		}
	}
	if len(names) == 0 {
		return false, nil
	}
	release, free := folder.TryLockShared(up)
	defer release()
	for _, name := range names {
		did = free && removeStale(root, name) || did
	}
	return did, nil
}

// ownStagingIn are the names of this user's staging folders in the folder in.
func ownStagingIn(in *os.Root) (names []string) {
	entries, err := fs.ReadDir(in.FS(), ".")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if !e.IsDir() || !isTemporary(e.Name()) {
			continue
		}
		st, err := in.Lstat(e.Name())
		if err != nil {
			continue
		}
		if owner, known := osfile.OwnerOf(st); known && owner.User == os.Geteuid() {
			names = append(names, e.Name())
		}
	}
	return names
}
