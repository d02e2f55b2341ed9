package pkgtree

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

func tree(t testing.TB, files map[string]string) Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, text := range files {
		data[p] = []byte(text)
	}
	tr, err := New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func files(tr Tree) map[string]string {
	out := map[string]string{}
	for p, b := range tr.All() {
		out[p] = string(b.Data())
	}
	return out
}

func TestApply(t *testing.T) {
	before := tree(t, map[string]string{"a": "1", "b/c": "2", "empty": ""})
	after, err := before.Apply(map[string][]byte{"a": []byte("x"), "b/c": nil, "d": {}, "nothing": nil, "empty": []byte("")})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"a": "x", "d": "", "empty": ""}, files(after)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]string{"a": "1", "b/c": "2", "empty": ""}, files(before)); d != "" {
		t.Errorf("Apply must not change its tree (-want +got):\n%s", d)
	}
	if before.Blob("empty") != after.Blob("empty") {
		t.Error("Apply did not share unchanged bytes")
	}
	if d := cmp.Diff([]string{"a", "b/c", "d"}, before.Diff(after)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if data, ok := after.Get("b/c"); data != nil || ok || after.Blob("b/c") != nil || after.Len() != 3 {
		t.Error("a deleted file is still in the tree")
	}
}

func TestSub(t *testing.T) {
	tr := tree(t, map[string]string{"a": "1", "b/c": "2", "b/d/e": "3", "bc": "4"})
	cases := map[string]struct {
		reason string
		dir    string
		want   map[string]string
	}{
		"directory": {"paths are relative to the directory; names that only begin alike are left out", "b", map[string]string{"c": "2", "d/e": "3"}},
		"nested":    {"at any depth", "b/d", map[string]string{"e": "3"}},
		"file":      {"a file is no directory", "a", map[string]string{}},
		"missing":   {"a missing directory is empty", "x", map[string]string{}},
		"root":      {"the whole tree", ".", files(tr)},
		"empty":     {"the whole tree", "", files(tr)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, files(tr.Sub(c.dir))); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

// FuzzLaws makes two trees of its input, "path=content" a line, and checks what must hold for every pair.
func FuzzLaws(f *testing.F) {
	f.Add("a=1\nb/c=2", "a=1\nb/d=3")
	f.Add("", "x=")
	f.Add("a=1", "a/b=1")
	f.Add("p q=1\nr=2", "p=q 1\nr=2")
	f.Fuzz(func(t *testing.T, one, two string) {
		a, b := parse(one), parse(two)
		checkTrees(t, a, b)
		checkTrees(t, b, a)
		checkTrees(t, a, a)
	})
}

// parse makes a tree of the lines that are valid files.
func parse(text string) Tree {
	var tr Tree
	for line := range strings.SplitSeq(text, "\n") {
		p, content, _ := strings.Cut(line, "=")
		if next, err := tr.Apply(map[string][]byte{p: append([]byte{}, content...)}); err == nil {
			tr = next
		}
	}
	return tr
}

func checkTrees(t *testing.T, a, b Tree) {
	t.Helper()
	if !slices.IsSorted(a.Paths()) || len(a.Paths()) != a.Len() {
		t.Fatalf("paths are not sorted: %q", a.Paths())
	}
	diff := a.Diff(b)
	same := maps.Equal(files(a), files(b))
	if a.Equal(b) != same || (len(diff) == 0) != same || (a.Digest() == b.Digest()) != same {
		t.Fatalf("same content is %t: Equal %t, Diff %q, digests %s %s", same, a.Equal(b), diff, a.Digest(), b.Digest())
	}
	if d := cmp.Diff(diff, b.Diff(a)); d != "" || !slices.IsSorted(diff) {
		t.Fatalf("Diff depends on the order of its arguments:\n%s", d)
	}
	changes := map[string][]byte{}
	for _, p := range diff {
		changes[p], _ = b.Get(p)
	}
	made, err := a.Apply(changes)
	if err != nil || !made.Equal(b) {
		t.Fatalf("a with the changes of Diff is not b: %v\n%s", err, cmp.Diff(files(b), files(made)))
	}
	for _, p := range a.Paths() {
		if dir, name, ok := strings.Cut(p, "/"); ok && a.Sub(dir).Blob(name) != a.Blob(p) {
			t.Fatalf("%s is missing below %s", name, dir)
		}
	}
}

func TestGitID(t *testing.T) {
	testenv.Need(t, testenv.Git)
	for _, data := range [][]byte{nil, {}, []byte("hello\n"), []byte("blob 3\x00abc"), bytes.Repeat([]byte{0, 0xff, '\r', '\n'}, 50_000)} {
		cmd := exec.Command("git", "hash-object", "--no-filters", "--stdin")
		cmd.Stdin = bytes.NewReader(data)
		want, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		b := NewBlob(data)
		if got := fmt.Sprintf("%x\n", b.GitID()); got != string(want) {
			t.Errorf("%d bytes: got %s, git hash-object returns %s", len(data), got, want)
		}
		if known := NewGitBlob(data, b.GitID()); known.GitID() != b.GitID() || !known.Equal(b) {
			t.Errorf("%d bytes: a blob from Git has another id", len(data))
		}
	}
}
