package pkgtree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOnly reads some of the files, and ignores the others.
func TestOnly(t *testing.T) {
	dir := layOut(t, map[string]string{"a.yaml": "1", "huge": "12345", "b/c.yaml": "2", "b/c.txt": "3"})
	limits := Limits{Files: 2, Bytes: 2, Only: func(name string) bool { return strings.HasSuffix(name, ".yaml") }}
	got, err := ReadDir(dir, limits)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"a.yaml": "1", "b/c.yaml": "2"}, files(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	limits.MayLink = func(Tree) func(string) bool { return func(link string) bool { return link == "b/linked-may.yaml" } }
	for name, refused := range map[string]bool{"c.txt": false, "c.yaml": true, "may.yaml": false} {
		link := filepath.Join(dir, "b", "linked-"+name)
		if err := os.Symlink(name, link); err != nil {
			t.Fatal(err)
		}
		_, err := ReadDir(dir, limits)
		if isOne := err != nil && strings.Contains(err.Error(), "b/linked-"+name+": is a symbolic link"); isOne != refused {
			t.Errorf("a link to %s: err = %v", name, err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	startWrite(t, dir, got, tree(t, map[string]string{"b/d.yaml": "2", "b/d.txt": "4"}), 1)
	if got, err = ReadDir(dir, limits); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"b/d.yaml": "2"}, files(got)); d != "" {
		t.Errorf("after an interrupted write (-want +got):\n%s", d)
	}
}
