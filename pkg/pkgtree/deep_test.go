package pkgtree

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// deepTrees are packages of 500 files in folders that lie 120 deep.
func deepTrees(t testing.TB) map[string]Tree {
	way := strings.Repeat("d/", 120)
	along, below := map[string]string{}, map[string]string{}
	for i := range 500 {
		along[way[:2*(i%120)+2]+fmt.Sprintf("f%d", i)] = "content"
		below[way+fmt.Sprintf("e%d/f", i)] = "content"
	}
	return map[string]Tree{"along": mustTree(t, along), "below": mustTree(t, below)}
}

// BenchmarkDeep writes a deep package, reads it and removes it: time grows with its folders, and not with how
// deep they lie.
func BenchmarkDeep(b *testing.B) {
	for name, tree := range deepTrees(b) {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			for b.Loop() {
				if err := WriteDir(dir, Tree{}, tree); err != nil {
					b.Fatal(err)
				}
				if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(tree) {
					b.Fatalf("what was written reads differently: %v", err)
				}
				if err := WriteDir(dir, tree, Tree{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(tree.Len())*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

// TestDeep stops a write to a deep package and finishes it. Looking at each folder on the way from the root, for
// each file, took more than a minute.
func TestDeep(t *testing.T) {
	testenv.Long(t, "deep folders")
	began := time.Now()
	for name, to := range deepTrees(t) {
		dir := t.TempDir()
		begun(t, dir, Tree{}, to, to.Len()/2)
		if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(to) {
			t.Fatalf("%s: stopped, it reads differently: %v", name, err)
		}
		if _, err := Finish(dir); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(to) {
			t.Fatalf("%s: finished, it reads differently: %v", name, err)
		}
		begun(t, dir, to, Tree{}, 0)
		if err := WriteDir(dir, Tree{}, Tree{}); err != nil {
			t.Fatal(err)
		}
		if left := found(t, dir); len(left) != 0 {
			t.Errorf("%s: left: %v", name, left)
		}
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestFoldersAnyOrder goes to folders in an order that is none, deeper than are kept open, and into the right
// one each time.
func TestFoldersAnyOrder(t *testing.T) {
	dir := t.TempDir()
	way := strings.TrimSuffix(strings.Repeat("d/", 2*mostOpen+10), "/")
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
	in := folders{root: root}
	defer in.close()
	for i, p := range []string{way, "x", way, way[:199], way[:3], ".", way[:5], way[:100] + "dx/y", way[:100] + "dx", way[:101], way, way[:1], "dd", "dd/d", "d", "dx", way, way[:151]} {
		got, err := in.at(p, p)
		if p == "dx" {
			if got != nil || err != nil {
				t.Errorf("%d: there is none: %v %v", i, got, err)
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
			t.Errorf("%d: it is another folder than %s: %v", i, p, err)
		}
		if len(in.open) > mostOpen {
			t.Errorf("%d: %d are open", i, len(in.open))
		}
	}
}
