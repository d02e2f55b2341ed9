package pkgtree

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

func TestCheckPath(t *testing.T) {
	cases := map[string]struct{ reason, path, want string }{
		"plain":           {"a file at the root", "Kptfile", ""},
		"below":           {"a file in directories, hidden ones too", ".github/a/b.yaml", ""},
		"dots in names":   {"two dots in a name are allowed", "a..b/...c", ""},
		"git in names":    {"only the name .git is special", ".gitignore", ""},
		"like git":        {"more than .git", "a/.git2/x", ""},
		"blanks, unicode": {"names that people use", "Größe und so.yaml", ""},
		"empty":           {"names nothing", "", `package path "" is empty`},
		"root":            {"a directory", ".", `package path "." is empty`},
		"absolute":        {"outside", "/etc/passwd", `package path "/etc/passwd" is absolute`},
		"up":              {"outside", "../a", `package path "../a" leaves the package`},
		"up only":         {"outside", "..", `package path ".." leaves the package`},
		"up within":       {"not clean", "a/../b", `package path "a/../b" is not clean ("..", ".", or a doubled or trailing slash)`},
		"up through":      {"not clean, and outside", "a/../../b", `package path "a/../../b" is not clean ("..", ".", or a doubled or trailing slash)`},
		"dot":             {"not clean", "./a", `package path "./a" is not clean ("..", ".", or a doubled or trailing slash)`},
		"doubled":         {"not clean", "a//b", `package path "a//b" is not clean ("..", ".", or a doubled or trailing slash)`},
		"trailing":        {"a directory", "a/", `package path "a/" is not clean ("..", ".", or a doubled or trailing slash)`},
		"backslash":       {"a separator elsewhere", `a\b`, `package path "a\\b" contains a control character or backslash`},
		"newline":         {"breaks messages and formats", "a\nb", `package path "a\nb" contains a control character or backslash`},
		"NUL":             {"ends names elsewhere", "a\x00b", `package path "a\x00b" contains a control character or backslash`},
		"delete":          {"a control character", "a\x7f", `package path "a\x7f" contains a control character or backslash`},
		"work file":       {"the name of a temporary file, in any folder", "a/.waybill-tmp-0", `package path "a/.waybill-tmp-0" has a name that waybill uses for temporary files; rename it`},
		"work folder":     {"a file in a temporary folder", ".waybill-tmp-18446744073709551615/a", `package path ".waybill-tmp-18446744073709551615/a" has a name that waybill uses for temporary files; rename it`},
		"journal":         {"in any case, since some file systems ignore it", ".Waybill-Journal", `package path ".Waybill-Journal" has a name that waybill uses for temporary files; rename it`},
		"folders":         {"the third of those names", ".waybill-folders", `package path ".waybill-folders" has a name that waybill uses for temporary files; rename it`},
		"no work file":    {"names that only begin like a temporary one", ".waybill-tmp-x/.waybill-tmp-/.waybill-tmp-1.yaml/.waybill-tmp--1/.waybill", ""},
		"git":             {"would be Git's own", ".git/config", `package path ".git/config" lies in a .git directory`},
		"git below":       {"a nested repository", "a/.GIT/hooks/x", `package path "a/.GIT/hooks/x" lies in a .git directory`},
		"git file":        {"a submodule's link", "a/.git", `package path "a/.git" lies in a .git directory`},
		"git on NTFS":     {"NTFS ignores dots and blanks at the end", ".git. ./config", `package path ".git. ./config" lies in a .git directory`},
		"git stream":      {"a stream of .git", ".git::$INDEX_ALLOCATION/config", `package path ".git::$INDEX_ALLOCATION/config" lies in a .git directory`},
		"git short":       {"the short name of .git", "GIT~1/config", `package path "GIT~1/config" lies in a .git directory`},
		"git on HFS+":     {"HFS+ ignores the character", ".g\u200cit/config", `package path ".g\u200cit/config" lies in a .git directory`},
		"long":            {"longer than any file system allows", strings.Repeat("a/", 2048) + "a", fmt.Sprintf("package path %q is longer than 4096 bytes", strings.Repeat("a/", 50)+"…/a"+strings.Repeat("/a", 49))},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := CheckPath(c.path)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			var pe *PathError
			if c.want != "" && (!errors.As(err, &pe) || pe.Path != c.path) {
				t.Errorf("%s: want a *PathError, got %T", c.reason, err)
			}
			if _, err := New(map[string][]byte{c.path: nil}); (err == nil) != (c.want == "") {
				t.Errorf("%s: New must agree, got %v", c.reason, err)
			}
			if _, err := (Tree{}).Apply(map[string][]byte{c.path: {}}); (err == nil) != (c.want == "") {
				t.Errorf("%s: Apply must agree, got %v", c.reason, err)
			}
		})
	}
}

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

func TestClash(t *testing.T) {
	_, err := New(map[string][]byte{"a/b/c": nil, "a": nil, "a.b": nil})
	if want := `package path "a/b/c" needs a directory where "a" is a file; rename one of them`; err == nil || err.Error() != want {
		t.Errorf("a file is also a directory: got %v, want %s", err, want)
	}
	_, err = New(map[string][]byte{"a/Kptfile": nil, "a/Kptfile/b": nil})
	if want := "rename that directory: Kptfile must be the file that describes the package"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("a directory is called Kptfile: got %v, want %s", err, want)
	}
	_, err = tree(t, map[string]string{"a": ""}).Apply(map[string][]byte{"a": nil, "a/b": {}})
	if err != nil {
		t.Errorf("the file is removed in the same step: %v", err)
	}
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
