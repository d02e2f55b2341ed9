package pkgtree

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// deepTrees are packages of 500 files in folders that are nested 120 deep.
func deepTrees(t testing.TB) map[string]Tree {
	way := strings.Repeat("d/", 120)
	along, below := map[string]string{}, map[string]string{}
	for i := range 500 {
		along[way[:2*(i%120)+2]+fmt.Sprintf("f%d", i)] = "content"
		below[way+fmt.Sprintf("e%d/f", i)] = "content"
	}
	return map[string]Tree{"along": mustTree(t, along), "below": mustTree(t, below)}
}

// BenchmarkDeep writes a deeply nested package, reads it and removes it: the time must grow with the number of folders, and not with
// their depth.
func BenchmarkDeep(b *testing.B) {
	for name, tree := range deepTrees(b) {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			for b.Loop() {
				if err := WriteDir(dir, Tree{}, tree); err != nil {
					b.Fatal(err)
				}
				if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(tree) {
					b.Fatalf("reading returns other files than were written: %v", err)
				}
				if err := WriteDir(dir, tree, Tree{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(tree.Len())*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

// TestDeep interrupts a write to a deeply nested package and finishes it. Opening every folder from the root on for
// each file would take more than a minute.
func TestDeep(t *testing.T) {
	testenv.Long(t, "deep folders")
	began := time.Now()
	for name, to := range deepTrees(t) {
		dir := t.TempDir()
		startWrite(t, dir, Tree{}, to, to.Len()/2)
		if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(to) {
			t.Fatalf("%s: after the interruption, reading returns other files: %v", name, err)
		}
		if _, err := Recover(dir); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(to) {
			t.Fatalf("%s: after the recovery, reading returns other files: %v", name, err)
		}
		startWrite(t, dir, to, Tree{}, 0)
		if err := WriteDir(dir, Tree{}, Tree{}); err != nil {
			t.Fatal(err)
		}
		if left := readAll(t, dir); len(left) != 0 {
			t.Errorf("%s: left: %v", name, left)
		}
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}
