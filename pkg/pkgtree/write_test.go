package pkgtree

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWriteDirWhole makes one of many changes impossible, and checks that none is made.
func TestWriteDirWhole(t *testing.T) {
	before := mustTree(t, map[string]string{"a": "1", "b/c": "1", "d/e": "1", "z": "1"})
	cases := map[string]struct {
		reason, link, says string
		to                 map[string]string
	}{
		"Replace": {"a link where a file is to be replaced", "z", "z: not a regular file", map[string]string{"a": "2", "new/deep/f": "1", "d/e": "2", "z": "2"}},
		"Remove":  {"a link where a file is to be removed", "z", "z: not a regular file", map[string]string{"a": "2", "b/c": "2", "new/f": "1"}},
		"On it":   {"a link as a parent of a file", "d", "d is not a directory", map[string]string{"a": "2", "b/c": "2", "d/e": "2"}},
		"Turned":  {"a file becomes a folder, elsewhere a link is in the way", "z", "z: not a regular file", map[string]string{"a/b": "2", "b": "2", "z": "2"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := WriteDir(dir, Tree{}, before); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(dir, tc.link)); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("elsewhere", filepath.Join(dir, tc.link)); err != nil {
				t.Fatal(err)
			}
			was := listing(t, dir)
			err := WriteDir(dir, before, mustTree(t, tc.to))
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: err = %v, want %q", tc.reason, err, tc.says)
			}
			if diff := cmp.Diff(was, listing(t, dir)); diff != "" {
				t.Errorf("%s: the folder was changed (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestWriteDirUnreadable refuses a tree that no ReadDir takes, before anything is written.
func TestWriteDirUnreadable(t *testing.T) {
	large, blobs := NewBlob(make([]byte, 1<<26)), map[string]*Blob{"last": NewBlob([]byte("x"))}
	for i := range 16 { // all share their bytes
		blobs[fmt.Sprint(i)] = large
	}
	many := map[string]*Blob{}
	for i := range 100_001 {
		many[fmt.Sprint(i)] = blobs["last"]
	}
	for says, blobs := range map[string]map[string]*Blob{"would have 1073741825 bytes in all": blobs, "would have 100001 files": many} {
		tree, err := FromBlobs(blobs)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := WriteDir(dir, Tree{}, tree); err == nil || !strings.Contains(err.Error(), says) || len(listing(t, dir)) > 1 {
			t.Errorf("want %q and nothing written, got %v, %v", says, err, listing(t, dir))
		}
	}
}

// TestWriteDirSwap replaces files by folders of the same name, and the reverse.
func TestWriteDirSwap(t *testing.T) {
	before := mustTree(t, map[string]string{"file": "1", "folder/a": "1", "folder/b/c": "1", "other": "1"})
	after := mustTree(t, map[string]string{"file/x": "2", "file/y/z": "2", "folder": "2", "other": "1"})
	dir := t.TempDir()
	for _, step := range []struct{ from, to Tree }{{Tree{}, before}, {before, after}, {after, before}} {
		if err := WriteDir(dir, step.from, step.to); err != nil {
			t.Fatal(err)
		}
		got, err := ReadDir(dir, Limits{})
		if err != nil || !got.Equal(step.to) {
			t.Errorf("got %v (%v), want %v", got.Paths(), err, step.to.Paths())
		}
	}
}

// TestWriteDirEverywhere changes files in many folders, so that each folder is closed and opened again.
func TestWriteDirEverywhere(t *testing.T) {
	trees := make([]Tree, 3)
	for v := range trees {
		files := map[string]string{}
		for i := range 300 {
			if i%7 != v { // some are removed, some added
				files[fmt.Sprintf("d%d/e%d/f%d", i%5, i%11, i)] = fmt.Sprint(v, i)
				files[fmt.Sprintf("d%d/g%d", i%5, i)] = fmt.Sprint(v/2, i)
			}
		}
		files[fmt.Sprintf("only/in/%d", v)] = "x"
		trees[v] = mustTree(t, files)
	}
	dir := t.TempDir()
	now := Tree{}
	for _, next := range []Tree{trees[0], trees[1], trees[2], trees[0], {}} {
		if err := WriteDir(dir, now, next); err != nil {
			t.Fatal(err)
		}
		got, err := ReadDir(dir, Limits{})
		if err != nil || !got.Equal(next) {
			t.Errorf("got %v (%v), want %v", got.Paths(), err, next.Paths())
		}
		now = next
	}
	if left := listing(t, dir); len(left) != 1 {
		t.Errorf("folders or files are left: %v", left)
	}
}

// TestWriteDirConcurrent runs several writes to one folder at the same time, each from what it read there.
// Every write writes a whole package, or fails because another one was first, or took too long.
func TestWriteDirConcurrent(t *testing.T) {
	dir := t.TempDir()
	version := func(v int) Tree {
		files := map[string]string{}
		for i := range 40 {
			files[fmt.Sprintf("%d/v%d-%d", i%3, v%2, i)] = fmt.Sprint(v)
		}
		return mustTree(t, files)
	}
	if err := WriteDir(dir, Tree{}, version(0)); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	written := make([]int, 6)
	for g := range written {
		all.Go(func() {
			for n := 1; n <= 20; n++ {
				before, err := ReadDir(dir, Limits{})
				if err != nil {
					t.Error(err)
					return
				}
				if !isOneVersion(before) {
					t.Errorf("the package is neither one version nor the other: %v", before.Paths())
				}
				err = WriteDir(dir, before, version(100*g+n))
				if err == nil {
					written[g]++
				} else if text := err.Error(); !strings.Contains(text, "after it was read") && !strings.Contains(text, "was not read") &&
					!strings.Contains(text, "another process has been writing") {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if after, err := ReadDir(dir, Limits{}); err != nil || !isOneVersion(after) {
		t.Errorf("at the end neither one version nor the other: %v %v", after.Paths(), err)
	}
	if slices.Max(written) == 0 {
		t.Error("every write failed")
	}
}

// isOneVersion reports whether all files of a package have the same content.
func isOneVersion(t Tree) bool {
	contents := map[string]bool{}
	for _, b := range t.All() {
		contents[string(b.Data())] = true
	}
	return len(contents) == 1 && t.Len() == 40
}

func mustTree(t testing.TB, files map[string]string) Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, s := range files {
		data[p] = []byte(s)
	}
	tree, err := New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// listing is every path below dir with its type and content, temporary files included.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var data []byte
		if d.Type().IsRegular() {
			data, err = os.ReadFile(file)
		}
		out = append(out, fmt.Sprintf("%s %s %s", strings.TrimPrefix(file, dir), d.Type(), data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// BenchmarkWriteDir writes many files into one folder.
func BenchmarkWriteDir(b *testing.B) {
	for _, n := range []int{10, 1000, 10000} {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("f-%d", i)] = "content"
		}
		tree := mustTree(b, files)
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dir := b.TempDir()
				if err := WriteDir(dir, Tree{}, tree); err != nil {
					b.Fatal(err)
				}
				if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(tree) {
					b.Fatalf("reading returns other files than were written: %v", err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}
