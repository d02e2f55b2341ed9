package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// host is the server of all repositories, as packages record it: the same in every run. The real one is given to programs as their proxy.
const host = "http://git.example.com/"

const gitconfig = `[user]
	name = Ada
	email = ada@example.com
[init]
	defaultBranch = main
[gc]
	auto = 0
[maintenance]
	auto = false
`

// bare makes an empty repository on the server.
func (s *simulation) bare(name string) error {
	if _, err := s.git(s.dir, "init", "--quiet", "--bare", "--template=", name); err != nil {
		return err
	}
	_, err := s.git(filepath.Join(s.dir, name), "config", "http.receivepack", "true")
	return err
}

// checkout makes a working copy that pushes to a repository of the server.
func (s *simulation) checkout(dir, repo string) error {
	if _, err := s.git(s.dir, "init", "--quiet", dir); err != nil {
		return err
	}
	_, err := s.git(filepath.Join(s.dir, dir), "remote", "add", "origin", host+repo)
	return err
}

// publish commits all of a working copy and pushes it, with tags if there are any.
func (s *simulation) publish(dir, message string, tags ...string) error {
	dir = filepath.Join(s.dir, dir)
	if _, err := s.git(dir, "add", "--all"); err != nil {
		return err
	}
	if _, err := s.git(dir, "commit", "--quiet", "--allow-empty", "--message", message); err != nil {
		return err
	}
	for _, tag := range tags {
		if _, err := s.git(dir, "tag", tag); err != nil {
			return err
		}
	}
	_, err := s.git(dir, append([]string{"push", "--quiet", "origin", "main"}, tags...)...)
	return err
}

// stage adds all files of the fleet to Git's index, and returns the id of the tree. It counts what Git grew by.
func (s *simulation) stage(what string) (tree string, err error) {
	before, err := s.size(s.fleet())
	if err != nil {
		return "", err
	}
	if err := s.must(what, s.command(s.fleet(), "git", "add", "--all")); err != nil {
		return "", err
	}
	after, err := s.size(s.fleet())
	if err != nil {
		return "", err
	}
	s.report.grew(s.kind, what, after-before)
	return s.tree()
}

// tree is the id of what is in the index of the fleet.
func (s *simulation) tree() (string, error) {
	out, err := s.git(s.fleet(), "write-tree")
	return strings.TrimSpace(out), err
}

// size is what the objects of a repository take, in bytes.
func (s *simulation) size(repo string) (int64, error) {
	out, err := s.git(repo, "count-objects", "-v")
	if err != nil {
		return 0, err
	}
	var total int64
	for line := range strings.Lines(out) {
		var n int64
		if _, err := fmt.Sscanf(line, "size: %d", &n); err == nil {
			total += n << 10
		}
		if _, err := fmt.Sscanf(line, "size-pack: %d", &n); err == nil {
			total += n << 10
		}
	}
	return total, nil
}

// forget drops what a repository has of commits before keep: the history of a year of a large fleet would not fit into memory.
func (s *simulation) forget(repo, keep string) error {
	dir, err := s.git(repo, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return err
	}
	id, err := s.git(repo, "rev-parse", keep)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(strings.TrimSpace(dir), "shallow"), []byte(id), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{{"reflog", "expire", "--expire=now", "--all"}, {"prune", "--expire=now"}} {
		if _, err := s.git(repo, args...); err != nil {
			return err
		}
	}
	return nil
}

func (s *simulation) fleet() string { return filepath.Join(s.dir, "fleet") }
func (s *simulation) shop() string  { return filepath.Join(s.dir, "fleet", "shop") }

// checkApproved wants every tag that was there to be the same commit still.
func (s *simulation) checkApproved() error {
	refs, err := s.refs("refs/tags")
	if err != nil {
		return err
	}
	for tag, id := range s.approved {
		if err := s.law(lawApproved, refs[tag] == id, "%s was %s, and is %q", tag, id, refs[tag]); err != nil {
			return err
		}
	}
	s.approved = refs
	return nil
}

// refs are the refs of the deployments, and their commits.
func (s *simulation) refs(below string) (map[string]string, error) {
	return s.refsOf(s.deployments(), below)
}

func (s *simulation) refsOf(repo, below string) (map[string]string, error) {
	out, err := s.git(repo, "for-each-ref", "--format=%(refname) %(objectname)", below)
	refs := map[string]string{}
	for line := range strings.Lines(out) {
		name, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		refs[name] = id
	}
	return refs, err
}
