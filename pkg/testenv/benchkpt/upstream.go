package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// upstreams measures getting packages of so many objects from a Git repository of this machine, and
// updating them when upstream changed every object and so did we, another field of each.
func (b *bench) upstreams(rows []row, t *table) error {
	t.head("resources", "command", columnWhere)
	var sizes []int
	for _, r := range rows {
		sizes = append(sizes, r.objects)
	}
	for _, n := range slices.Compact(sizes) {
		if err := b.upstream(n, t); err != nil {
			return fmt.Errorf("%d resources: %w", n, err)
		}
	}
	return nil
}

func (b *bench) upstream(n int, t *table) (err error) {
	if b.dir, err = os.MkdirTemp(b.below, "benchkpt-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	repo, err := b.publish(n)
	if err != nil {
		return err
	}
	got, m, err := b.side("get", pkgtree.Tree{}, repo+".git/app@v1")
	if err != nil {
		return err
	}
	t.add(m, n, "`pkg get`", t.where)
	ours, err := edited(got, "replicas: 2 # for now", "replicas: 5 # for now")
	if err != nil {
		return err
	}
	if _, m, err = b.side("update", ours, "app@v2"); err != nil {
		return err
	}
	t.add(m, n, "`pkg update`", t.where)
	return nil
}

// publish makes a bare repository that has the package app at the tags v1 and v2, packed as a server keeps what is pushed to it, and
// returns its path without the suffix.
func (b *bench) publish(n int) (string, error) {
	work, bare := filepath.Join(b.dir, "work"), filepath.Join(b.dir, "upstream.git")
	v1, err := pkgtree.New(files(row{objects: n}))
	if err != nil {
		return "", err
	}
	v2, err := edited(v1, "app:1.0.0", "app:2.0.0")
	if err != nil {
		return "", err
	}
	app := filepath.Join(work, "app")
	err = errors.Join(os.MkdirAll(app, 0o700), git(b.dir, "init", "-q", "-b", "main", "work"), pkgtree.WriteDir(app, pkgtree.Tree{}, v1),
		commit(work, "v1"), pkgtree.WriteDir(app, v1, v2), commit(work, "v2"), git(b.dir, "clone", "-q", "--bare", "work", bare),
		git(bare, "repack", "-a", "-d", "-q"))
	return strings.TrimSuffix(bare, ".git"), err
}

func commit(dir, tag string) error {
	return errors.Join(git(dir, "add", "-A"), git(dir, "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-q", "-m", tag),
		git(dir, "tag", tag))
}

func git(dir string, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

func edited(tree pkgtree.Tree, old, with string) (pkgtree.Tree, error) {
	changes := map[string][]byte{}
	for p, blob := range tree.All() {
		changes[p] = bytes.ReplaceAll(blob.Data(), []byte(old), []byte(with))
	}
	return tree.Apply(changes)
}

// side runs `pkg VERB target` with each, on fresh copies of start. It returns the result of kpt, which has a new cache in
// each run: to fill it is kpt's work.
func (b *bench) side(verb string, start pkgtree.Tree, target string) (pkgtree.Tree, measured, error) {
	ours := func(flag string) trial {
		return func(int) (sample, pkgtree.Tree, error) {
			return b.onPackage(start, "", b.waybill, "pkg", verb, target, flag)
		}
	}
	kpt := func(i int) (sample, pkgtree.Tree, error) {
		return b.onPackage(start, fmt.Sprint("kpt-cache-", i), b.kpt, "pkg", verb, target)
	}
	return b.compare(kpt, ours("--no-cache"), ours("--no-cache=false"))
}

func withoutKptfile(tree pkgtree.Tree) pkgtree.Tree {
	rest, err := tree.Apply(map[string][]byte{"Kptfile": nil})
	if err != nil { // taking files away cannot make a tree invalid
		return tree
	}
	return rest
}

// onPackage runs a command beside a fresh copy of the package app, and reads what became of it.
func (b *bench) onPackage(start pkgtree.Tree, kptCache string, command ...string) (s sample, after pkgtree.Tree, err error) {
	b.copies++
	work := filepath.Join(b.dir, fmt.Sprint(b.copies))
	app := filepath.Join(work, "app")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return s, after, err
	}
	if start.Len() > 0 {
		if err := errors.Join(os.Mkdir(app, 0o700), pkgtree.WriteDir(app, pkgtree.Tree{}, start)); err != nil {
			return s, after, err
		}
	}
	cmd := exec.Command(command[0], command[1:]...) // #nosec G204 -- that is what it is for
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "KPT_CACHE_DIR="+filepath.Join(b.dir, kptCache), "WAYBILL_CACHE_DIR="+filepath.Join(b.dir, "cache"))
	if s, err = b.timed(cmd); err != nil {
		return s, after, err
	}
	after, err = pkgtree.ReadDir(app, pkgtree.Limits{})
	return s, after, err
}
