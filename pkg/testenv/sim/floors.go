package main

import (
	"os"
	"path/filepath"
	"strings"
)

const floorKind = "floor"

// floors measures what no tool can avoid that has the works of the fleet as files in Git: writing them, hashing them, adding
// them to a new repository, or importing them into one. The programs are those of the system.
func (s *simulation) floors() error {
	s.kind = floorKind
	to := filepath.Join(s.dir, "floor")
	if err := s.must("write them (cp)", s.command(s.shop(), "cp", "-R", "clusters", to)); err != nil {
		return err
	}
	files, err := s.git(s.fleet(), "ls-files", "-z", "shop/clusters")
	if err != nil {
		return err
	}
	hash := s.command(s.fleet(), "git", "hash-object", "--stdin-paths", "--no-filters")
	hash.Stdin = strings.NewReader(strings.ReplaceAll(files, "\x00", "\n"))
	if err := s.must("hash them (git hash-object)", hash); err != nil {
		return err
	}
	if _, err := s.git(to, "init", "--quiet"); err != nil {
		return err
	}
	const add = "add them (git add)"
	if err := s.must(add, s.command(to, "git", "add", "--all")); err != nil {
		return err
	}
	bytes, err := s.size(to)
	if err != nil {
		return err
	}
	s.report.grew(s.kind, add, bytes)
	return s.importFloor(to)
}

// importFloor commits what was added to a repository, and imports that commit into another one.
func (s *simulation) importFloor(from string) error {
	if _, err := s.git(from, "commit", "--quiet", "--message", "works"); err != nil {
		return err
	}
	const name, what = "floor.git", "import them (git fast-import)"
	if err := s.bare(name); err != nil {
		return err
	}
	stream, err := os.Create(filepath.Join(s.dir, "floor.stream"))
	if err != nil {
		return err
	}
	defer stream.Close()
	export := s.command(from, "git", "fast-export", "main")
	export.Stdout = stream
	if err := export.Run(); err != nil {
		return err
	}
	if _, err := stream.Seek(0, 0); err != nil {
		return err
	}
	to := filepath.Join(s.dir, name)
	load := s.command(to, "git", "fast-import", "--quiet")
	load.Stdin = stream
	if err := s.must(what, load); err != nil {
		return err
	}
	bytes, err := s.size(to)
	s.report.grew(s.kind, what, bytes)
	return err
}
