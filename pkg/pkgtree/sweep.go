package pkgtree

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"
)

// sweep removes what writes have prepared below dir and never used. dir is locked.
func sweep(dir string, in *folders) (swept bool, err error) {
	if busyAbove(dir) {
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
// at work on is theirs, and so is one in which a write has yet to be finished.
func (s *sweeper) folder(dir string) error {
	in, err := s.in.at(dir, dir)
	if in == nil || err != nil {
		return nil
	}
	if dir != "." && (isBusy(in, ".") || has(in, journalName)) {
		return nil
	}
	entries, err := fs.ReadDir(in.FS(), ".")
	if err != nil {
		return nil
	}
	below, err := s.entries(in, dir, entries)
	if err != nil {
		return err
	}
	for _, name := range below {
		if err := s.folder(path.Join(dir, name)); err != nil {
			return err
		}
	}
	return s.made(dir, entries)
}

// entries removes what is to go of what lies in dir itself, and names the folders that stay.
func (s *sweeper) entries(in *os.Root, dir string, entries []fs.DirEntry) (below []string, err error) {
	for _, e := range entries {
		switch name := e.Name(); {
		case e.IsDir() && isTemporary(name):
			s.swept = removeStale(in, name) || s.swept
		case e.IsDir() && name != ".git":
			below = append(below, name)
		case e.Type().IsRegular() && isTemporary(name):
			s.swept = true
			if err := in.Remove(name); err != nil {
				return nil, mayWriteTo(path.Join(dir, name), err)
			}
		}
	}
	return below, nil
}

// made removes the folders that a write to dir has made in vain.
func (s *sweeper) made(dir string, entries []fs.DirEntry) error {
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == madeName && e.Type().IsRegular() }) {
		return nil
	}
	s.swept = true
	return removeMade(s.in, dir)
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

// removeStale removes the folder called name, in which a package was prepared that never got its place, unless
// somebody is at work on it or in it. It reports whether it is gone; what cannot be removed is no package's.
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
	return in.RemoveAll(name) == nil
}
