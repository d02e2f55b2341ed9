package pkgtree

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/testenv"
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

// TestUndo reverts writes after each change: everything is as it was before.
func TestUndo(t *testing.T) {
	atEachStop(t, func(t *testing.T, dir string, from, _ Tree, w *writer, changes int) {
		if err := w.undo(); err != nil {
			t.Fatalf("after %d changes: %v", changes, err)
		}
		if d := cmp.Diff(files(from), readAll(t, dir)); d != "" {
			t.Errorf("after %d changes (-before +after):\n%s", changes, d)
		}
		for p := range files(from) {
			st, err := os.Stat(filepath.Join(dir, p))
			if err != nil {
				t.Fatal(err)
			}
			if st.Mode().Perm() != 0o640 {
				t.Errorf("after %d changes: the permissions of %s differ: %v", changes, p, st.Mode())
			}
		}
	})
}

// TestUndoFolder fails after a folder has replaced a file, while the folder is empty.
func TestUndoFolder(t *testing.T) {
	dir := layOut(t, map[string]string{"f": "1", "g": "1"})
	from, to := tree(t, map[string]string{"f": "1", "g": "1"}), tree(t, map[string]string{"f/x/y": "2", "g": "2"})
	w, _ := startWrite(t, dir, from, to, -1)
	for _, o := range w.ops {
		if o.Path == "f/x/y" {
			if err := os.Remove(filepath.Join(dir, o.Tmp)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.commit(); err == nil {
		t.Fatal("a staged file that was removed cannot be renamed")
	}
	if d := cmp.Diff(files(from), readAll(t, dir)); d != "" {
		t.Errorf("the folder changed (-before +after):\n%s", d)
	}
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

// TestForeignJournal checks that a journal which no write left in this folder is refused.
func TestForeignJournal(t *testing.T) {
	ops := func(list ...op) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			w := newWriter(root)
			defer w.close()
			w.ops = list
			if err := w.writeJournal(); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := func(text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, legacyJournal), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	elsewhere, err := json.Marshal(journal{Folder: "1:2", Ops: []op{{Path: "a", Was: digestOf([]byte("1"))}}})
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason string
		make   func(t *testing.T, dir string)
		err    string
	}{
		"copied":       {"a copy of a folder, or a clone of another user's repository", text(string(elsewhere)), "belongs to another folder"},
		"garbage":      {"no journal at all", text("{"), "is not a list of changes"},
		"unknown":      {"perhaps of a later version", text(`{"folder":"","x":1}`), "is not a list of changes"},
		"hook":         {"it would write a program that Git runs", ops(op{Tmp: ".waybill-tmp-1", Path: ".git/hooks/pre-commit"}), "lies in a .git directory"},
		"out":          {"it would write outside of the package", ops(op{Tmp: ".waybill-tmp-1", Path: "../x"}), "leaves the package"},
		"from a file":  {"it would rename a file that no write staged", ops(op{Tmp: "a", Path: "x"}), `names "a", which no write made`},
		"from outside": {"it would rename a file outside of the package", ops(op{Tmp: "../.waybill-tmp-1", Path: "x"}), "which no write made"},
		"link": {"a link of that name", func(t *testing.T, dir string) {
			if err := os.Symlink("a", filepath.Join(dir, legacyJournal)); err != nil {
				t.Fatal(err)
			}
		}, "is not a list of changes"},
		"pipe": {"reading it would never end", func(t *testing.T, dir string) {
			if err := testenv.Mkfifo(filepath.Join(dir, legacyJournal)); err != nil {
				t.Fatal(err)
			}
		}, "is not a list of changes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := layOut(t, map[string]string{"a": "1", ".waybill-tmp-1": "x"})
			c.make(t, dir)
			_, err := ReadDir(dir, Limits{})
			for what, err := range map[string]error{"read": err, "write": WriteDir(dir, Tree{}, tree(t, map[string]string{"b": "1"}))} {
				if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "then remove the journal") {
					t.Errorf("%s: %s: got %v, want %s", c.reason, what, err, c.err)
				}
			}
			if data, err := os.ReadFile(filepath.Join(dir, "a")); string(data) != "1" {
				t.Errorf("%s: a changed: %q %v", c.reason, data, err)
			}
		})
	}
}

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

// BenchmarkRewrite replaces every file, back and forth: few and many small ones, and the works of a fleet, large and alike, each in a
// folder of its own.
func BenchmarkRewrite(b *testing.B) {
	work := strings.Repeat("  spec: the same in each work of the fleet\n", 1400)
	for name, c := range map[string]struct {
		files, inFolder int
		text            string
	}{"small/files=10": {10, 100, ""}, "small/files=1000": {1000, 100, ""}, "works/files=2000": {2000, 1, work}} {
		var trees [2]Tree
		for v := range trees {
			texts := map[string]string{}
			for i := range c.files {
				texts[fmt.Sprintf("%d/f-%d", i/c.inFolder, i)] = fmt.Sprintf("content %d of %d\n%s", v, i, c.text)
			}
			trees[v] = packed(b, texts)
		}
		b.Run(name, func(b *testing.B) {
			dir, at := b.TempDir(), 0
			if err := WriteDir(dir, Tree{}, trees[0]); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := WriteDir(dir, trees[at], trees[1-at]); err != nil {
					b.Fatal(err)
				}
				at = 1 - at
			}
			b.ReportMetric(float64(c.files)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

// packed is the Tree of files as ReadDir reads it.
func packed(b *testing.B, files map[string]string) Tree {
	blobs := map[string]*Blob{}
	for p, text := range files {
		blobs[p] = PackBlob([]byte(text))
	}
	tree, err := FromBlobs(blobs)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}

// TestRevertedByHand reverts the changes of an interrupted write, as "git checkout ." does, which does not remove
// the journal: the files that the journal would remove are not removed.
func TestRevertedByHand(t *testing.T) {
	from, to := tree(t, map[string]string{"a": "a", "b": "b"}), tree(t, map[string]string{"b": "a and b"})
	dir := layOut(t, files(from))
	startWrite(t, dir, from, to, 1)
	if err := os.WriteFile(filepath.Join(dir, "b"), []byte("b"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, readErr := ReadDir(dir, Limits{})
	for what, err := range map[string]error{"read": readErr, "write": WriteDir(dir, from, from)} {
		if want := "a write was interrupted, and b was changed after that"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", what, err, want)
		}
	}
	if err := os.Remove(filepath.Join(dir, temporary+"0", journalFile)); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(from) {
		t.Errorf("without the journal: %v %v, want all files", got.Paths(), err)
	}
}

// TestOwners replaces files of other users: they stay the owners when root does it, and other users need permission.
func TestOwners(t *testing.T) {
	from, to := tree(t, map[string]string{"a": "1"}), tree(t, map[string]string{"a": "2"})
	dir := layOut(t, files(from))
	file := filepath.Join(dir, "a")
	if os.Geteuid() != 0 {
		if err := os.Chmod(file, 0o444); err != nil {
			t.Fatal(err)
		}
		if err := WriteDir(dir, from, to); err == nil || !strings.HasSuffix(err.Error(), ": a: no permission to write to it") {
			t.Errorf("a file that its owner protects: %v", err)
		}
		return
	}
	if err := os.Chown(file, 12345, 23456); err != nil {
		t.Fatal(err)
	}
	if err := WriteDir(dir, from, to); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if owner, _ := osfile.OwnerOf(st); owner != (osfile.Owner{User: 12345, Group: 23456}) {
		t.Errorf("the file belongs to %d:%d now", owner.User, owner.Group)
	}
}
