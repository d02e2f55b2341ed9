package pkgtree

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writes are from one package to another, by all that may happen to a file.
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

// begun stops a write from c.from to c.to after so many changes, or before its journal is written for
// -1, the way a process that is killed stops. There is nothing more to do when it returns false.
func begun(t *testing.T, dir string, from, to Tree, changes int, programs ...string) (*staging, bool) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	w := &staging{dir: dir, in: folders{root: root}, from: from, to: to, programs: setOf(programs)}
	t.Cleanup(w.in.close)
	if err := w.prepare(from.Diff(to)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if w.held != nil {
			_ = syscall.Flock(int(w.held.Fd()), syscall.LOCK_UN) // as when the process ends
		}
	}()
	if changes < 0 {
		return w, true
	}
	if err := w.writeJournal(); err != nil {
		t.Fatal(err)
	}
	for _, o := range w.ops[:min(changes, len(w.ops))] {
		if err := w.apply(o); err != nil {
			t.Fatal(err)
		}
	}
	return w, changes <= len(w.ops)
}

// eachStop calls try for every write and every place where it may stop.
func eachStop(t *testing.T, try func(t *testing.T, dir string, from, to Tree, w *staging, changes int)) {
	for name, c := range writes {
		t.Run(name, func(t *testing.T) {
			for changes := -1; ; changes++ {
				dir, from, to := put(t, nil), tree(t, c.from), tree(t, c.to)
				if err := WriteDir(dir, Tree{}, from); err != nil {
					t.Fatal(err)
				}
				for p := range c.from {
					if err := os.Chmod(filepath.Join(dir, p), 0o640); err != nil {
						t.Fatal(err)
					}
				}
				w, more := begun(t, dir, from, to, changes)
				if !more {
					return
				}
				try(t, dir, from, to, w, changes)
			}
		})
	}
}

// TestKilled stops writes everywhere. What is read then is the old package or the new one, all of it,
// and the next write leaves nothing of the stopped one behind.
func TestKilled(t *testing.T) {
	eachStop(t, func(t *testing.T, dir string, from, to Tree, _ *staging, changes int) {
		want := to
		if changes < 0 {
			want = from
		}
		got, err := ReadDir(dir, Limits{})
		if err != nil || !got.Equal(want) {
			t.Fatalf("stopped after %d changes: %v (-want +got):\n%s", changes, err, cmp.Diff(files(want), files(got)))
		}
		if changes < 0 {
			return // files that nobody knows of stay
		}
		if err := WriteDir(dir, got, got); err != nil {
			t.Fatalf("stopped after %d changes: %v", changes, err)
		}
		left := found(t, dir)
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

// TestUndone takes writes back from everywhere: not a bit is different from before.
func TestUndone(t *testing.T) {
	eachStop(t, func(t *testing.T, dir string, from, _ Tree, w *staging, changes int) {
		if err := w.undo(max(0, changes)); err != nil {
			t.Fatalf("after %d changes: %v", changes, err)
		}
		if d := cmp.Diff(files(from), found(t, dir)); d != "" {
			t.Errorf("after %d changes (-before +after):\n%s", changes, d)
		}
		for p := range files(from) {
			st, err := os.Stat(filepath.Join(dir, p))
			if err != nil {
				t.Fatal(err)
			}
			if st.Mode().Perm() != 0o640 {
				t.Errorf("after %d changes: the permissions of %s are others: %v", changes, p, st.Mode())
			}
		}
	})
}

// TestUndoneFolder fails when a file has given way to a folder, and nothing is in that yet.
func TestUndoneFolder(t *testing.T) {
	dir := put(t, map[string]string{"f": "1", "g": "1"})
	from, to := tree(t, map[string]string{"f": "1", "g": "1"}), tree(t, map[string]string{"f/x/y": "2", "g": "2"})
	w, _ := begun(t, dir, from, to, -1)
	for _, o := range w.ops {
		if o.Path == "f/x/y" {
			if err := os.Remove(filepath.Join(dir, o.Tmp)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.commit(); err == nil {
		t.Fatal("a file that is gone cannot get its name")
	}
	if d := cmp.Diff(files(from), found(t, dir)); d != "" {
		t.Errorf("it is not as it was (-before +after):\n%s", d)
	}
}

// TestKptfileLast stops writes everywhere: while a file is of the old version, the Kptfile is.
func TestKptfileLast(t *testing.T) {
	from := tree(t, map[string]string{"Kptfile": "1", "a": "1", "old": "1", "sub/Kptfile": "1", "sub/b": "1"})
	to := tree(t, map[string]string{"Kptfile": "2", "a": "2", "new": "2", "sub/Kptfile": "2", "sub/b": "2"})
	for changes := 0; ; changes++ {
		dir := put(t, nil)
		if err := WriteDir(dir, Tree{}, from); err != nil {
			t.Fatal(err)
		}
		if _, more := begun(t, dir, from, to, changes); !more {
			return
		}
		now := found(t, dir)
		if now["Kptfile"] == "2" && (now["a"] != "2" || now["new"] != "2" || now["old"] != "" || now["sub/b"] != "2") {
			t.Errorf("after %d changes the Kptfile is newer than what it is of: %v", changes, now)
		}
	}
}

// TestChangedSince lets somebody write to a package between reading and writing, or when a write was
// stopped half way. Nothing of theirs is lost.
func TestChangedSince(t *testing.T) {
	from, to := tree(t, map[string]string{"a": "1", "b": "1", "c": "1"}), tree(t, map[string]string{"a": "2", "b": "2", "new/d": "1"})
	cases := map[string]struct{ reason, path, err string }{
		"replaced": {"a file that would be replaced", "b", "b: was changed since it was read; try again"},
		"removed":  {"one that would be removed", "c", "c: was changed since it was read; try again"},
		"added":    {"one where a new one would be", "new/d", "new/d: exists, and was not read; move it, or have this written elsewhere"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := put(t, files(from))
			change := func() map[string]string {
				file := filepath.Join(dir, c.path)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte("theirs"), 0o644); err != nil {
					t.Fatal(err)
				}
				return found(t, dir)
			}
			was := change()
			err := WriteDir(dir, from, to)
			if err == nil || !strings.HasSuffix(err.Error(), ": "+c.err) {
				t.Errorf("%s: got %v, want %s", c.reason, err, c.err)
			}
			if d := cmp.Diff(was, found(t, dir)); d != "" {
				t.Errorf("%s: the folder changed (-before +after):\n%s", c.reason, d)
			}
			dir = put(t, files(from))
			begun(t, dir, from, to, 0)
			change()
			_, err = ReadDir(dir, Limits{})
			if want := "a write was interrupted, and " + c.path + " was changed since"; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, half way: got %v, want %s", c.reason, err, want)
			}
			was = found(t, dir)
			if err := WriteDir(dir, from, to); err == nil {
				t.Errorf("%s, half way: it was written to", c.reason)
			}
			if d := cmp.Diff(was, found(t, dir)); d != "" {
				t.Errorf("%s, half way: the folder changed (-before +after):\n%s", c.reason, d)
			}
		})
	}
}

// TestForeignJournal finds a journal that no write of ours has left here.
func TestForeignJournal(t *testing.T) {
	ops := func(list ...op) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			w := staging{in: folders{root: root}, ops: list}
			defer w.release()
			if err := w.writeJournal(); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := func(text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, journalName), []byte(text), 0o644); err != nil {
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
		"copied":       {"a copy of a folder, or a clone of somebody's", text(string(elsewhere)), "is of another folder"},
		"garbage":      {"no journal at all", text("{"), "is no list of changes"},
		"unknown":      {"of a later version, perhaps", text(`{"folder":"","x":1}`), "is no list of changes"},
		"hook":         {"to put a program where Git runs it", ops(op{Tmp: ".waybill-tmp-1", Path: ".git/hooks/pre-commit"}), "lies in a .git directory"},
		"out":          {"out of the package", ops(op{Tmp: ".waybill-tmp-1", Path: "../x"}), "leaves the package"},
		"from a file":  {"a file that is not of our making", ops(op{Tmp: "a", Path: "x"}), `names "a", which is not of its making`},
		"from outside": {"or not in the package", ops(op{Tmp: "../.waybill-tmp-1", Path: "x"}), "which is not of its making"},
		"link": {"something else of that name", func(t *testing.T, dir string) {
			if err := os.Symlink("a", filepath.Join(dir, journalName)); err != nil {
				t.Fatal(err)
			}
		}, "is no list of changes"},
		"pipe": {"reading it would never end", func(t *testing.T, dir string) {
			if err := syscall.Mkfifo(filepath.Join(dir, journalName), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "is no list of changes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := put(t, map[string]string{"a": "1", ".waybill-tmp-1": "x"})
			c.make(t, dir)
			_, err := ReadDir(dir, Limits{})
			for what, err := range map[string]error{"read": err, "write": WriteDir(dir, Tree{}, tree(t, map[string]string{"b": "1"}))} {
				if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "then remove it") {
					t.Errorf("%s: %s: got %v, want %s", c.reason, what, err, c.err)
				}
			}
			if data, err := os.ReadFile(filepath.Join(dir, "a")); string(data) != "1" {
				t.Errorf("%s: a changed: %q %v", c.reason, data, err)
			}
		})
	}
}

// TestOnly reads some of the files, of which the others are none.
func TestOnly(t *testing.T) {
	dir := put(t, map[string]string{"a.yaml": "1", "huge": "12345", "b/c.yaml": "2", "b/c.txt": "3"})
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
	begun(t, dir, got, tree(t, map[string]string{"b/d.yaml": "2", "b/d.txt": "4"}), 1)
	if got, err = ReadDir(dir, limits); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"b/d.yaml": "2"}, files(got)); d != "" {
		t.Errorf("after a write that was stopped (-want +got):\n%s", d)
	}
}

// BenchmarkRewrite replaces every file, back and forth.
func BenchmarkRewrite(b *testing.B) {
	for _, n := range []int{10, 1000} {
		var trees [2]Tree
		for v := range trees {
			texts := map[string]string{}
			for i := range n {
				texts[fmt.Sprintf("%d/f-%d", i/100, i)] = fmt.Sprintf("content %d of %d", v, i)
			}
			trees[v] = mustTree(b, texts)
		}
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
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
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

// TestTakenBackByHand throws away what a stopped write had done, as "git checkout ." does, which leaves
// the journal: what it would remove is not removed.
func TestTakenBackByHand(t *testing.T) {
	from, to := tree(t, map[string]string{"a": "a", "b": "b"}), tree(t, map[string]string{"b": "a and b"})
	dir := put(t, files(from))
	begun(t, dir, from, to, 1)
	if err := os.WriteFile(filepath.Join(dir, "b"), []byte("b"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, readErr := ReadDir(dir, Limits{})
	for what, err := range map[string]error{"read": readErr, "write": WriteDir(dir, from, from)} {
		if want := "a write was interrupted, and b was changed since"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", what, err, want)
		}
	}
	if err := os.Remove(filepath.Join(dir, temporary+"0", journalIn)); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(from) {
		t.Errorf("without the journal: %v %v, want all that was there", got.Paths(), err)
	}
}

// TestOwners replaces files of others: root leaves them theirs, and nobody else touches what they may not.
func TestOwners(t *testing.T) {
	from, to := tree(t, map[string]string{"a": "1"}), tree(t, map[string]string{"a": "2"})
	dir := put(t, files(from))
	file := filepath.Join(dir, "a")
	if os.Geteuid() != 0 {
		if err := os.Chmod(file, 0o444); err != nil {
			t.Fatal(err)
		}
		if err := WriteDir(dir, from, to); err == nil || !strings.HasSuffix(err.Error(), ": a: may not be written to") {
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
	if s := st.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 23456 {
		t.Errorf("the file is %d:%d's now", s.Uid, s.Gid)
	}
}

func TestMayWriteTo(t *testing.T) {
	want := `sub/c.yaml: its folder "sub" may not be written to, which replacing, adding or removing a file takes`
	if err := mayWriteTo("sub/c.yaml", &os.PathError{Op: "openat", Path: ".waybill-tmp-2", Err: syscall.EACCES}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	full := &os.PathError{Op: "openat", Path: ".waybill-tmp-2", Err: syscall.ENOSPC}
	if err := mayWriteTo("x", full); !errors.Is(err, syscall.ENOSPC) || err.Error() != "x: no space left on device" {
		t.Errorf("another error became %v", err)
	}
}
