package pkgtree

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// above are the folders that dir is in, the nearest first, without the links on the way to it.
func above(dir string) (out []string) {
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

// holdAll keeps other processes from writing to folders until release is called. It is not free when one does
// already. Folders that cannot be locked are left out.
func holdAll(dirs []string) (release func(), free bool) {
	var held []*os.File
	release = func() {
		for _, f := range held {
			_ = f.Close() // which unlocks it
		}
	}
	for _, dir := range dirs {
		f, err := os.Open(dir) // #nosec G304 -- a folder, and nothing is read
		if err != nil {
			continue
		}
		held = append(held, f)
		if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == syscall.EWOULDBLOCK { // #nosec G115 -- a file descriptor
			release()
			return func() {}, false
		}
	}
	return release, true
}

// sweepAbove does what is left of writes of this user's to the folders that dir is in, and reports whether there
// was anything to do. What others have left there is for them: they could make this user write for them.
func sweepAbove(dir string) (did bool, err error) {
	up := above(dir)
	for i := range up {
		swept, err := sweepOne(up[i:])
		did = did || swept
		if err != nil {
			return did, err
		}
	}
	return did, nil
}

// sweepOne sweeps the first of up, which lies in the others: all of it if it is a package that was written to,
// else what was to have a place in it.
func sweepOne(up []string) (did bool, err error) {
	root, err := os.OpenRoot(up[0])
	if err != nil {
		return false, nil
	}
	defer root.Close()
	names := oursIn(root)
	for _, name := range names {
		if has(root, filepath.Join(name, madeIn)) {
			return finishOne(up[0])
		}
	}
	if len(names) == 0 {
		return false, nil
	}
	release, free := holdAll(up)
	defer release()
	for _, name := range names {
		did = free && removeStale(root, name) || did
	}
	return did, nil
}

// oursIn are the names of folders of this user's in the folder in, in which something waits for its name.
func oursIn(in *os.Root) (names []string) {
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
		if s, ok := st.Sys().(*syscall.Stat_t); ok && int(s.Uid) == os.Geteuid() {
			names = append(names, e.Name())
		}
	}
	return names
}
