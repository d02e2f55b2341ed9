package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
)

// sweep removes what writes have prepared below dir and never used. dir is locked.
func sweep(dir string, in *folders) (swept bool, err error) {
	release, free := holdAll(above(dir))
	defer release()
	if !free {
		return false, nil
	}
	s := sweeper{in: in}
	err = s.folder(".")
	return s.swept, err
}

type sweeper struct {
	in    *folders
	swept bool
}

// folder sweeps one folder, then those in it. What cannot be read was not written to; a folder that others are
// at work on is theirs. A write to a folder in this one is finished first.
func (s *sweeper) folder(dir string) error {
	in, err := s.in.at(dir, dir)
	if in == nil || err != nil || dir != "." && isBusy(in, ".") {
		return nil
	}
	entries, err := fs.ReadDir(in.FS(), ".")
	if err != nil {
		return nil
	}
	if dir != "." && len(journalsAmong(in, entries)) > 0 {
		if entries, err = s.finish(in, dir); entries == nil || err != nil {
			return err
		}
	}
	below, stale, err := s.entries(in, dir, entries)
	if err != nil {
		return err
	}
	for _, name := range below {
		if err := s.folder(path.Join(dir, name)); err != nil {
			return err
		}
	}
	return s.stale(dir, stale)
}

// finish makes the changes that a write to the folder dir has left, and returns what lies there then; nothing
// where another process has that to do.
func (s *sweeper) finish(in *os.Root, dir string) ([]fs.DirEntry, error) {
	held, err := hold(in, ".")
	if err != nil {
		return nil, nil
	}
	defer held.Close() // which unlocks it
	root, err := in.OpenRoot(".")
	if err != nil {
		return nil, about(dir, err)
	}
	defer root.Close()
	w := staging{in: folders{root: root}}
	defer w.in.close()
	if _, err := w.finish(); err != nil {
		return nil, fmt.Errorf("%s: %w", short(dir), err)
	}
	s.swept = true
	return fs.ReadDir(root.FS(), ".")
}

// entries removes the files that are to go of what lies in dir itself, and names the folders that stay, and
// what goes after these.
func (s *sweeper) entries(in *os.Root, dir string, entries []fs.DirEntry) (below, stale []string, err error) {
	for _, e := range entries {
		switch name := e.Name(); {
		case e.IsDir() && isTemporary(name), e.Type().IsRegular() && name == madeName:
			stale = append(stale, name)
		case e.IsDir() && name != ".git":
			below = append(below, name)
		case e.Type().IsRegular() && isTemporary(name):
			s.swept = true
			if err := in.Remove(name); err != nil {
				return nil, nil, mayWriteTo(path.Join(dir, name), err)
			}
		}
	}
	return below, stale, nil
}

// stale removes the folders in dir in which something waited, and those that a write to dir has made in vain.
func (s *sweeper) stale(dir string, names []string) error {
	for _, name := range names {
		list := path.Join(name, madeIn)
		if name == madeName {
			list, s.swept = name, true
		}
		if err := removeMade(s.in, dir, list); errors.Is(err, fs.ErrPermission) {
			continue // another user's
		} else if err != nil {
			return err
		}
		in, err := s.in.at(dir, dir)
		if in == nil || err != nil {
			return err
		}
		if name != madeName && !has(in, filepath.Join(name, journalIn)) {
			s.swept = removeStale(in, name) || s.swept
		}
	}
	return nil
}

func has(in *os.Root, name string) bool {
	_, err := in.Lstat(name)
	return err == nil
}

// isBusy reports whether another process is at work on the folder called name in the folder in.
func isBusy(in *os.Root, name string) bool {
	held, err := hold(in, name)
	if held != nil {
		_ = held.Close()
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

// hold locks the folder called name in the folder in, until what it returns is closed. Where folders cannot be
// locked, or another process has it, that is the error.
func hold(in *os.Root, name string) (*os.File, error) {
	f, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil { // #nosec G115 -- a file descriptor
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// removeStale removes the folder called name, in which something waited that never got its place, unless another
// process is at work on it or in it. It reports whether it is gone; what cannot be removed is no package's.
func removeStale(in *os.Root, name string) bool {
	held, err := hold(in, name)
	if err != nil {
		return false
	}
	defer held.Close()
	entries, err := fs.ReadDir(in.FS(), name)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.IsDir() && isBusy(in, path.Join(name, e.Name())) {
			return false
		}
	}
	return removeFolder(in, name) == nil
}
