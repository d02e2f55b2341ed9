package main

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const floorKind = "floor: the works as plain files"

// floors measures what no tool can avoid that has the works of the fleet as files in Git: writing them, hashing them, and adding
// them to a new repository.
func (s *simulation) floors() error {
	s.kind = floorKind
	to := filepath.Join(s.dir, "floor")
	files, err := readAll(filepath.Join(s.shop(), "clusters"))
	if err != nil {
		return err
	}
	err = s.floor("write them", func() error {
		for name, data := range files {
			file := filepath.Join(to, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
				return err
			}
			if err := os.WriteFile(file, data, 0o600); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = s.floor("hash them (SHA-256)", func() error {
		for _, data := range files {
			sha256.Sum256(data)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := s.git(to, "init", "--quiet"); err != nil {
		return err
	}
	if _, err := s.measured("git add", s.command(to, "git", "add", "--all")); err != nil {
		return err
	}
	bytes, err := s.size(to)
	s.report.grew(s.kind, "git add", bytes)
	return err
}

// floor measures something that this program does itself.
func (s *simulation) floor(what string, do func() error) error {
	began, used := time.Now(), usedCPU()
	err := do()
	s.report.add(s.kind, what, cost{Wall: time.Since(began), CPU: usedCPU() - used})
	return err
}

// readAll reads the files of a folder, by their names in it.
func readAll(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err == nil {
			files[name], err = os.ReadFile(file) // #nosec G304 -- a file of our own folder
		}
		return err
	})
	return files, err
}
