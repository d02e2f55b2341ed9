package folder

import (
	"os"
	"strings"
	"testing"
)

// TestCacheAnyOrder opens folders in no order, nested deeper than folders are kept open, and checks that each is the right one.
func TestCacheAnyOrder(t *testing.T) {
	dir := t.TempDir()
	way := strings.TrimSuffix(strings.Repeat("d/", 2*maxOpen+10), "/")
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
	in := Cache{Root: root}
	defer in.Close()
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
		if len(in.open) > maxOpen {
			t.Errorf("%d: %d folders are open", i, len(in.open))
		}
	}
}
