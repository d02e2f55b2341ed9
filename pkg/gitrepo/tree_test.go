package gitrepo

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

func names(entries []entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, e.sortKey())
	}
	return strings.Join(out, " ")
}

func TestWith(t *testing.T) {
	id := Hash{1}
	dir := func(n string) entry { return entry{mode: modeDir, name: n, id: id} }
	file := func(n string) entry { return entry{mode: modeFile, name: n, id: id} }
	for name, tc := range map[string]struct {
		reason  string
		entries []entry
		put     entry
		want    string
	}{
		"first":          {reason: "an empty tree takes an entry", put: file("a"), want: "a"},
		"dir after dash": {reason: "a directory sorts as if it ended in a slash", entries: []entry{file("a-b"), file("a0")}, put: dir("a"), want: "a-b a/ a0"},
		"file first":     {reason: "a file of the same name sorts before", entries: []entry{file("a-b"), file("a0")}, put: file("a"), want: "a a-b a0"},
		"replace":        {reason: "an entry takes the place of its namesake, whatever that is", entries: []entry{file("a"), file("a-b")}, put: dir("a"), want: "a-b a/"},
		"remove":         {reason: "a zero id takes the entry out", entries: []entry{dir("a"), file("b")}, put: entry{mode: modeDir, name: "a"}, want: "b"},
	} {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(tc.entries)
			if diff := cmp.Diff(tc.want, names(with(tc.entries, tc.put))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if !slices.Equal(before, tc.entries) {
				t.Errorf("%s: the entries given were changed", tc.reason)
			}
		})
	}
}

func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("\x07", 20)
	for _, s := range []string{"", "100644 a\x00" + id, "40000 d\x00" + id + "100664 e\x00" + id, "100644 a", " \x00", "100644 a\x00short"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseTree(data)
		if err == nil && !bytes.Equal(encodeTree(entries), data) {
			t.Errorf("reading and writing %q gives %q", data, encodeTree(entries))
		}
		o := pack.NewObject(plumbing.TreeObject, data)
		for _, name := range []string{"a", "d", "e", ""} {
			want, there := find(entries, name)
			got, ok, failed := entryOf(objectMap{o.ID: o}, o.ID, name)
			if got != want || ok != there || (failed == nil) != (err == nil) {
				t.Errorf("%q of %q is %v (%v, %v), want %v (%v, %v)", name, data, got, ok, failed, want, there, err)
			}
		}
	})
}

// TestStagedTreesAreDeltas has many drafts beside each other: each replaces one of many directories, and its root takes the memory of
// the difference.
func TestStagedTreesAreDeltas(t *testing.T) {
	bare, files := gittest.NewBare(t), map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("site-%03d/Kptfile", i)] = fmt.Sprint("kind: Kptfile # ", i)
	}
	gittest.Commit(t, bare, gittest.Change{Files: gittest.Files(files)})
	repo, err := Open(t.Context(), bare, Options{})
	if err != nil {
		t.Fatal(err)
	}
	main, err := repo.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	stage := repo.Stage()
	root, err := stage.Root(main)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := readTree(repo, root)
	if err != nil {
		t.Fatal(err)
	}
	for _, old := range entries[:40] {
		id, err := stage.GraftDir(root, old.name, entries[299].id)
		if err != nil {
			t.Fatal(err)
		}
		want := encodeTree(with(entries, entry{mode: modeDir, name: old.name, id: entries[299].id}))
		o := stage.staged[id]
		if got, err := o.Content(); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("the root with another %s is another one (%v)", old.name, err)
		}
		if o.MemorySize() > o.Size()/8 {
			t.Errorf("the root with another %s takes %d bytes of %d", old.name, o.MemorySize(), o.Size())
		}
	}
}
