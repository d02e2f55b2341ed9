package folder

import (
	"os"
	"strings"
	"testing"
)

// TestCacheAnyOrder opens folders in no order, nested deeper than folders are kept open, and checks that each is the right one.
func TestCacheAnyOrder(t *testing.T) {
	dir := t.TempDir()
	way := strings.TrimSuffix(strings.Repeat("d/", 2*MaxOpen+10), "/")
	for _, p := range []string{way, way[:100] + "dx/y", "dd/d", "x"} {
		if err := os.MkdirAll(dir+"/"+p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for most, bound := range map[int]int{0: MaxOpen, 1: 1, 4: 4} {
		in := Cache{Root: root, Most: most}
		defer in.Close()
		checkAnyOrder(t, dir, way, &in, bound)
	}
}

// checkAnyOrder opens folders, of which no more than bound may stay open.
func checkAnyOrder(t *testing.T, dir, way string, in *Cache, bound int) {
	t.Helper()
	for i, p := range []string{way, "x", way, way[:199], way[:3], ".", way[:5], way[:100] + "dx/y", way[:100] + "dx", way[:101], way, way[:1], "dd", "dd/d", "d", "dx", way, way[:151]} {
		got, err := in.At(p, p)
		if p == "dx" {
			if got != nil || err != nil {
				t.Errorf("%d: there is no such folder: %v %v", i, got, err)
			}
			continue
		}
		if err != nil || got == nil {
			t.Fatalf("%d: %v", i, err)
		}
		is, err := got.Stat(".")
		if err != nil {
			t.Fatal(err)
		}
		if want, err := os.Stat(dir + "/" + p); err != nil || !os.SameFile(is, want) {
			t.Errorf("%d: the folder is not %s: %v", i, p, err)
		}
		if len(in.open) > bound {
			t.Errorf("%d: %d folders are open", i, len(in.open))
		}
	}
}
