package pkgtree

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
