package pkgtree

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

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
