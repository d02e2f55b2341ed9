package pkgtree

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// sweep removes what killed writes prepared below dir. The caller has locked dir.
func sweep(dir string, in *folder.Cache) (swept bool, err error) {
	release, free := folder.TryLockShared(parents(dir))
	defer release()
	if !free {
		return false, nil
	}
	s := sweeper{in: in}
	err = s.folder(".")
	return s.swept, err
}

type sweeper struct {
	in     *folder.Cache
	swept  bool
	inTurn bool // it sweeps one folder after the other
}

// folder sweeps one folder, then those in it. It skips folders that cannot be read, since no write could prepare
// anything there, and folders that another process has locked. It finishes an interrupted write to the folder first.
func (s *sweeper) folder(dir string) error {
	in, err := s.in.At(dir, dir)
	if in == nil || err != nil || dir != "." && folder.IsLocked(in, ".") {
		return nil
	}
	entries, err := fs.ReadDir(in.FS(), ".")
	if err != nil {
		return nil
	}
	if dir != "." && len(journalsAmong(in, entries)) > 0 {
		if entries, err = s.recover(in, dir); entries == nil || err != nil {
			return err
		}
	}
	below, stale, err := s.entries(in, dir, entries)
	if err != nil {
		return err
	}
	if err := s.below(dir, below); err != nil {
		return err
	}
	return s.stale(dir, stale)
}

// below sweeps the folders of these names in dir: in order or, if they are many, on all processors.
func (s *sweeper) below(dir string, names []string) error {
	if s.inTurn || len(names) < 2*partSize {
		for _, name := range names {
			if err := s.folder(path.Join(dir, name)); err != nil {
				return err
			}
		}
		return nil
	}
	parts := slices.Collect(slices.Chunk(names, partSize))
	errs, swept := make([]error, len(parts)), make([]bool, len(parts))
	parallel.For(len(parts), func(i int) {
		part := sweeper{in: &folder.Cache{Root: s.in.Root}, inTurn: true}
		defer part.in.Close()
		errs[i] = part.below(dir, parts[i])
		swept[i] = part.swept
	})
	s.swept = s.swept || slices.Contains(swept, true)
	return cmp.Or(errs...)
}

// recover finishes an interrupted write to the folder dir, and returns the entries afterwards; none
// when another process has locked the folder.
func (s *sweeper) recover(in *os.Root, dir string) ([]fs.DirEntry, error) {
	held, err := folder.TryLock(in, ".")
	if err != nil {
		return nil, nil
	}
	defer held.Close() // and unlocks it
	root, err := in.OpenRoot(".")
	if err != nil {
		return nil, folder.Wrap(dir, err)
	}
	defer root.Close()
	w := newWriter(root)
	defer w.close()
	if _, err := w.recover(); err != nil {
		return nil, fmt.Errorf("%s: %w", folder.Short(dir), err)
	}
	s.swept = true
	return fs.ReadDir(root.FS(), ".")
}

// entries removes the staged files in dir itself. It returns the names of the folders to sweep, and of the
// staging folders, which are removed after those.
func (s *sweeper) entries(in *os.Root, dir string, entries []fs.DirEntry) (below, stale []string, err error) {
	for _, e := range entries {
		switch name := e.Name(); {
		case e.IsDir() && isTemporary(name), e.Type().IsRegular() && name == legacyMade:
			stale = append(stale, name)
		case e.IsDir() && name != ".git":
			below = append(below, name)
		case e.Type().IsRegular() && isTemporary(name):
			s.swept = true
			if err := in.Remove(name); err != nil {
				return nil, nil, folder.WrapWrite(path.Join(dir, name), err)
			}
		}
	}
	return below, stale, nil
}

// stale removes the staging folders in dir, and the empty folders that a killed write to dir made.
func (s *sweeper) stale(dir string, names []string) error {
	for _, name := range names {
		list := path.Join(name, madeFile)
		if name == legacyMade {
			list, s.swept = name, true
		}
		if err := removeMadeFolders(s.in, dir, list); errors.Is(err, fs.ErrPermission) {
			continue // another user's
		} else if err != nil {
			return err
		}
		in, err := s.in.At(dir, dir)
		if in == nil || err != nil {
			return err
		}
		if name != legacyMade && !folder.Exists(in, filepath.Join(name, journalFile)) {
			s.swept = removeStale(in, name) || s.swept
		}
	}
	return nil
}

// removeStale removes the staging folder called name, unless another
// process has locked it or a folder in it. It reports whether it did; a folder that cannot be removed does no harm.
func removeStale(in *os.Root, name string) bool {
	held, err := folder.TryLock(in, name)
	if err != nil {
		return false
	}
	defer held.Close()
	entries, err := fs.ReadDir(in.FS(), name)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.IsDir() && folder.IsLocked(in, path.Join(name, e.Name())) {
			return false
		}
	}
	return removeStagingFolder(in, name) == nil
}
