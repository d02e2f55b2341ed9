package pkgtree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/sets"
)

// writes are changes from one package to another, with every kind of change of a file.
var writes = map[string]struct {
	reason   string
	from, to map[string]string
}{
	"replaced":  {"files of the same names", map[string]string{"a": "1", "b/c": "1", "b/d": "1"}, map[string]string{"a": "2", "b/c": "2", "b/d": "2"}},
	"moved":     {"files that go elsewhere", map[string]string{"a": "1", "b": "2", "c/d": "3"}, map[string]string{"new/a": "1", "new/b": "2", "new/deep/d": "3"}},
	"swapped":   {"files that take each other's place", map[string]string{"a": "1", "b": "2"}, map[string]string{"a": "2", "b": "1"}},
	"turned":    {"files that become folders, and the reverse", map[string]string{"a": "1", "b/c": "2", "b/d/e": "3", "k": "k"}, map[string]string{"a/x": "1", "a/y/z": "4", "b": "2", "k": "k"}},
	"emptied":   {"nothing is left", map[string]string{"a": "1", "b/c": "2"}, nil},
	"new":       {"nothing was there", nil, map[string]string{"a": "1", "b/c": "2"}},
	"all of it": {"some of each", map[string]string{"same": "0", "a": "1", "b/c": "2", "d": "3"}, map[string]string{"same": "0", "a": "2", "d/e": "3", "f/g": "4"}},
}

// newWrite is a write from one tree to another.
func newWrite(t *testing.T, dir string, from, to Tree, programs ...string) *writer {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	w := newWriter(root)
	w.dir, w.from, w.to, w.programs = dir, from, to, sets.New(programs...)
	t.Cleanup(w.in.Close)
	return w
}

// startWrite starts a write from one tree to another and interrupts it after so many changes, or for -1 before its journal
// is written, as if the process was killed. It returns false when there are no more changes.
func startWrite(t *testing.T, dir string, from, to Tree, changes int, programs ...string) (*writer, bool) {
	t.Helper()
	w := newWrite(t, dir, from, to, programs...)
	if err := w.prepare(from.Diff(to)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if w.own.held != nil {
			_ = w.own.held.Close() // as the end of the process does
		}
	}()
	if changes < 0 {
		return w, true
	}
	if err := w.writeJournal(); err != nil {
		t.Fatal(err)
	}
	if err := w.applyAll(w.ops[:min(changes, len(w.ops))]); err != nil {
		t.Fatal(err)
	}
	return w, changes <= len(w.ops)
}

// atEachStop interrupts every write after each of its changes and calls try.
func atEachStop(t *testing.T, try func(t *testing.T, dir string, from, to Tree, w *writer, changes int)) {
	for name, c := range writes {
		t.Run(name, func(t *testing.T) {
			for changes := -1; ; changes++ {
				dir, from, to := layOut(t, nil), tree(t, c.from), tree(t, c.to)
				if err := WriteDir(dir, Tree{}, from); err != nil {
					t.Fatal(err)
				}
				for p := range c.from {
					if err := os.Chmod(filepath.Join(dir, p), 0o640); err != nil {
						t.Fatal(err)
					}
				}
				w, more := startWrite(t, dir, from, to, changes)
				if !more {
					return
				}
				try(t, dir, from, to, w, changes)
			}
		})
	}
}

// TestKilled interrupts writes after each change. Reading returns the whole old package or the whole new one,
// and the next write removes what is left of the interrupted one.
func TestKilled(t *testing.T) {
	atEachStop(t, func(t *testing.T, dir string, from, to Tree, _ *writer, changes int) {
		want := to
		if changes < 0 {
			want = from
		}
		got, err := ReadDir(dir, Limits{})
		if err != nil || !got.Equal(want) {
			t.Fatalf("stopped after %d changes: %v (-want +got):\n%s", changes, err, cmp.Diff(files(want), files(got)))
		}
		if changes < 0 {
			return // staged files without a journal stay
		}
		if err := WriteDir(dir, got, got); err != nil {
			t.Fatalf("stopped after %d changes: %v", changes, err)
		}
		left := readAll(t, dir)
		for p := range left { // folders may stay
			if strings.HasSuffix(p, "/") {
				delete(left, p)
			}
		}
		if d := cmp.Diff(files(to), left); d != "" {
			t.Errorf("stopped after %d changes, then finished (-want +got):\n%s", changes, d)
		}
	})
}

// TestKptfileLast interrupts writes after each change: while a file has the old version, the Kptfile has it, too.
func TestKptfileLast(t *testing.T) {
	from := tree(t, map[string]string{"Kptfile": "1", "a": "1", "old": "1", "sub/Kptfile": "1", "sub/b": "1"})
	to := tree(t, map[string]string{"Kptfile": "2", "a": "2", "new": "2", "sub/Kptfile": "2", "sub/b": "2"})
	for changes := 0; ; changes++ {
		dir := layOut(t, nil)
		if err := WriteDir(dir, Tree{}, from); err != nil {
			t.Fatal(err)
		}
		if _, more := startWrite(t, dir, from, to, changes); !more {
			return
		}
		now := readAll(t, dir)
		if now["Kptfile"] == "2" && (now["a"] != "2" || now["new"] != "2" || now["old"] != "" || now["sub/b"] != "2") {
			t.Errorf("after %d changes the Kptfile is newer than another file: %v", changes, now)
		}
	}
}

// TestChangedSince changes a package between reading and writing, or after a write was
// interrupted. That change is not lost.
func TestChangedSince(t *testing.T) {
	from, to := tree(t, map[string]string{"a": "1", "b": "1", "c": "1"}), tree(t, map[string]string{"a": "2", "b": "2", "new/d": "1"})
	cases := map[string]struct{ reason, path, err string }{
		"replaced": {"a file that would be replaced", "b", "b: was changed after it was read; try again"},
		"removed":  {"a file that would be removed", "c", "c: was changed after it was read; try again"},
		"added":    {"a file in the place of a new one", "new/d", "new/d: exists, but was not read; move it, or write the package to another folder"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := layOut(t, files(from))
			change := func() map[string]string {
				file := filepath.Join(dir, c.path)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte("theirs"), 0o644); err != nil {
					t.Fatal(err)
				}
				return readAll(t, dir)
			}
			was := change()
			err := WriteDir(dir, from, to)
			if err == nil || !strings.HasSuffix(err.Error(), ": "+c.err) {
				t.Errorf("%s: got %v, want %s", c.reason, err, c.err)
			}
			if d := cmp.Diff(was, readAll(t, dir)); d != "" {
				t.Errorf("%s: the folder changed (-before +after):\n%s", c.reason, d)
			}
			dir = layOut(t, files(from))
			startWrite(t, dir, from, to, 0)
			change()
			_, err = ReadDir(dir, Limits{})
			if want := "a write was interrupted, and " + c.path + " was changed after that"; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, half way: got %v, want %s", c.reason, err, want)
			}
			was = readAll(t, dir)
			if err := WriteDir(dir, from, to); err == nil {
				t.Errorf("%s, half way: a write succeeded", c.reason)
			}
			if d := cmp.Diff(was, readAll(t, dir)); d != "" {
				t.Errorf("%s, half way: the folder changed (-before +after):\n%s", c.reason, d)
			}
		})
	}
}
