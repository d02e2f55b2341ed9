package upstream_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// copied is d in folders of its own.
func (d *pair) copied(t testing.TB) *pair {
	t.Helper()
	c := &pair{repositories: d.repositories, kpt: newKptEnv(t), ours: newKptEnv(t)}
	c.kpt.home = d.kpt.home
	for i, dir := range c.dirs() {
		if err := os.CopyFS(dir, os.DirFS(d.dirs()[i])); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func readTree(t testing.TB, dir string) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func putTree(t testing.TB, dir string, from, to pkgtree.Tree) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := pkgtree.WriteDir(dir, from, to); err != nil {
		t.Fatal(err)
	}
}

// edit does the same to both packages.
func (d *pair) edit(t testing.TB, f func(dir string)) {
	t.Helper()
	for _, dir := range d.dirs() {
		f(dir)
	}
}

// replace replaces a text in a file of both.
func (d *pair) replace(t testing.TB, file, before, after string) {
	t.Helper()
	d.edit(t, func(dir string) {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(data), before) {
			t.Fatalf("%s lacks %q: %v\n%s", file, before, err, data)
		}
		d.write(t, filepath.Join(dir, file), strings.ReplaceAll(string(data), before, after))
	})
}

func (d *pair) write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(d.text(text)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// remove removes a file or folder of both.
func (d *pair) remove(t testing.TB, file string) {
	t.Helper()
	d.edit(t, func(dir string) {
		if p := filepath.Join(dir, file); !existsAt(p) {
			t.Fatalf("there is no %s", file)
		} else if err := os.RemoveAll(p); err != nil {
			t.Fatal(err)
		}
	})
}
