package main

import (
	"path/filepath"
	"strings"
)

const floorKind = "floor: the works as plain files"

// floors measures what no tool can avoid that has the works of the fleet as files in Git: writing them, hashing them, and adding
// them to a new repository. The programs are those of the system.
func (s *simulation) floors() error {
	s.kind = floorKind
	to := filepath.Join(s.dir, "floor")
	if _, err := s.measured("write them (cp)", s.command(s.shop(), "cp", "-R", "clusters", to)); err != nil {
		return err
	}
	files, err := s.git(s.fleet(), "ls-files", "-z", "shop/clusters")
	if err != nil {
		return err
	}
	hash := s.command(s.fleet(), "git", "hash-object", "--stdin-paths", "--no-filters")
	hash.Stdin = strings.NewReader(strings.ReplaceAll(files, "\x00", "\n"))
	if _, err := s.measured("hash them (git hash-object)", hash); err != nil {
		return err
	}
	if _, err := s.git(to, "init", "--quiet"); err != nil {
		return err
	}
	if _, err := s.measured("add them (git add)", s.command(to, "git", "add", "--all")); err != nil {
		return err
	}
	bytes, err := s.size(to)
	s.report.grew(s.kind, "add them (git add)", bytes)
	return err
}
