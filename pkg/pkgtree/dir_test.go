package pkgtree

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// layOut writes files below a new directory. "-> target" makes a symbolic link, a name that ends in a
// slash a directory.
func layOut(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for p, text := range files {
		name := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, link := strings.CutPrefix(text, "-> "); link {
			err = os.Symlink(target, name)
		} else if strings.HasSuffix(p, "/") {
			err = os.MkdirAll(name, 0o755)
		} else {
			err = os.WriteFile(name, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// readAll returns everything below dir, in the form of layOut.
func readAll(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		p := filepath.ToSlash(rel)
		if d.IsDir() {
			if entries, err := os.ReadDir(name); err != nil || len(entries) == 0 {
				out[p+"/"] = ""
			}
			return nil
		}
		if target, err := os.Readlink(name); err == nil {
			out[p] = "-> " + target
			return nil
		}
		data, err := os.ReadFile(name)
		out[p] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReadDir(t *testing.T) {
	long := strings.Repeat("n", 250) + ".yaml"
	cases := map[string]struct {
		reason string
		have   map[string]string
		limits Limits
		want   map[string]string
		err    string
	}{
		"files":        {reason: "hidden and empty files are read, empty directories are not", have: map[string]string{"Kptfile": "k", ".hidden/.x": "h", "a/b": "", "empty/": ""}, want: map[string]string{"Kptfile": "k", ".hidden/.x": "h", "a/b": ""}},
		"empty":        {reason: "an empty directory is an empty package", want: map[string]string{}},
		"git":          {reason: "the .git directory, and the .git file of a submodule, are no part of the package", have: map[string]string{".git/config": "x", "sub/.git": "gitdir: x", "a": "1"}, want: map[string]string{"a": "1"}},
		"links in":     {reason: "symbolic links are left out, wherever they point", have: map[string]string{"a": "1", "d/x": "2", "l": "-> a", "ld": "-> d", "gone": "-> nowhere", "self": "-> self"}, want: map[string]string{"a": "1", "d/x": "2"}},
		"links out":    {reason: "also links that lead out of the package", have: map[string]string{"p": "-> /etc/passwd", "up": "-> ../..", "a": "1"}, want: map[string]string{"a": "1"}},
		"left over":    {reason: "files of a killed WriteDir are no part of the package; files with similar names are", have: map[string]string{"a": "1", "b/.waybill-tmp-0": "x", ".waybill-tmp-17": "x", ".waybill-tmp-x": "2", ".waybill-tmp-": "3", ".waybill-a.tmp": "4"}, want: map[string]string{"a": "1", ".waybill-tmp-x": "2", ".waybill-tmp-": "3", ".waybill-a.tmp": "4"}},
		"left folder":  {reason: "a staging folder is no part of the package, whatever its number", have: map[string]string{"a": "1", ".waybill-tmp-18446744073709551615/p/a": "x", "b/.waybill-tmp-0/a": "x", "b/.waybill-journal/a": "x", "b/.waybill-folders": "x", ".WAYBILL-TMP-1": "x"}, want: map[string]string{"a": "1"}},
		"long name":    {reason: "as long as the system allows", have: map[string]string{long: "1"}, want: map[string]string{long: "1"}},
		"files limit":  {reason: "too many files", have: map[string]string{"a": "", "b": "", "c": ""}, limits: Limits{Files: 2}, err: "more than 2 files"},
		"at the limit": {reason: "exactly as many as allowed", have: map[string]string{"a": "12", "b": "34"}, limits: Limits{Files: 2, Bytes: 4}, want: map[string]string{"a": "12", "b": "34"}},
		"bytes limit":  {reason: "too many bytes in all", have: map[string]string{"a": "12", "b": "345"}, limits: Limits{Bytes: 4}, err: "b: more than 4 bytes in all"},
		"bad name":     {reason: "a name that other systems treat as a path", have: map[string]string{`a\b`: ""}, err: `package path "a\\b" contains a control character or backslash`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := layOut(t, c.have)
			tr, err := ReadDir(dir, c.limits)
			if c.err != "" {
				if err == nil || !strings.HasSuffix(err.Error(), c.err) {
					t.Fatalf("%s: got %v, want %s", c.reason, err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if d := cmp.Diff(c.want, files(tr)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
	if _, err := ReadDir(filepath.Join(t.TempDir(), "none"), Limits{}); err == nil || !strings.HasPrefix(err.Error(), "read package: ") {
		t.Errorf("a missing directory must be an error, got %v", err)
	}
}

func TestWriteDir(t *testing.T) {
	long := strings.Repeat("n", 255)
	cases := map[string]struct {
		reason   string
		have     map[string]string // what is on disk in addition to from
		from, to map[string]string
		want     map[string]string
		err      string
	}{
		"all at once":        {reason: "new, changed, removed; other files stay", have: map[string]string{"mine": "m"}, from: map[string]string{"a": "1", "b/c": "2", "d": "3"}, to: map[string]string{"a": "x", "d": "3", "e/f/g": "4"}, want: map[string]string{"mine": "m", "a": "x", "d": "3", "e/f/g": "4"}},
		"emptied":            {reason: "directories that this empties are removed, others stay", have: map[string]string{"x/keep": "k", "other/": ""}, from: map[string]string{"x/y/z": "1", "q/r": "2"}, want: map[string]string{"x/keep": "k", "other/": ""}},
		"file to directory":  {reason: "the file is removed first", from: map[string]string{"a": "1"}, to: map[string]string{"a/b": "2"}, want: map[string]string{"a/b": "2"}},
		"directory to file":  {reason: "the directory is removed first", from: map[string]string{"a/b": "1", "a/c/d": "2"}, to: map[string]string{"a": "3"}, want: map[string]string{"a": "3"}},
		"directory kept":     {reason: "a directory with another file is not removed", have: map[string]string{"a/mine": "m"}, from: map[string]string{"a/b": "1"}, to: map[string]string{"a": "3"}, want: map[string]string{"a/mine": "m", "a/b": "1"}, err: "a: not a regular file"},
		"gone already":       {reason: "a file to remove may be removed already", from: nil, to: map[string]string{"a": "1"}, have: map[string]string{}, want: map[string]string{"a": "1"}},
		"long name":          {reason: "as long as the system allows", from: map[string]string{long: "1"}, to: map[string]string{long: "2"}, want: map[string]string{long: "2"}},
		"temporary names":    {reason: "a file with the name of a temporary file keeps its bytes", have: map[string]string{".waybill-tmp-0": "theirs", ".waybill-a.tmp": "theirs"}, from: map[string]string{"a": "1"}, to: map[string]string{"a": "2"}, want: map[string]string{".waybill-tmp-0": "theirs", ".waybill-a.tmp": "theirs", "a": "2"}},
		"temporary link":     {reason: "nothing is written through a link with a temporary name", have: map[string]string{".waybill-tmp-0": "-> victim", "victim": "v"}, from: map[string]string{"a": "1"}, to: map[string]string{"a": "2"}, want: map[string]string{".waybill-tmp-0": "-> victim", "victim": "v", "a": "2"}},
		"link as file":       {reason: "a link is not replaced", have: map[string]string{"a": "-> b", "b": "1"}, to: map[string]string{"a": "2"}, want: map[string]string{"a": "-> b", "b": "1"}, err: "a: not a regular file"},
		"link as directory":  {reason: "nothing is written through a link", have: map[string]string{"d": "-> real", "real/x": "1"}, to: map[string]string{"d/x": "2"}, want: map[string]string{"d": "-> real", "real/x": "1"}, err: "d/x: d is not a directory"},
		"link out":           {reason: "nothing is written outside of the folder", have: map[string]string{"d": "-> ..", "a": "1"}, to: map[string]string{"d/x": "2"}, want: map[string]string{"d": "-> ..", "a": "1"}, err: "d/x: d is not a directory"},
		"file as directory":  {reason: "another file is in the place of a directory", have: map[string]string{"d": "1"}, to: map[string]string{"d/x": "2"}, want: map[string]string{"d": "1"}, err: "d/x: d is not a directory"},
		"directory as file":  {reason: "another directory is in the place of a file", have: map[string]string{"d/": ""}, to: map[string]string{"d": "2"}, want: map[string]string{"d/": ""}, err: "d: not a regular file"},
		"dangling link":      {reason: "a dangling link is not replaced", have: map[string]string{"a": "-> none"}, to: map[string]string{"a": "2"}, want: map[string]string{"a": "-> none"}, err: "a: not a regular file"},
		"nothing to do":      {reason: "the same package twice", from: map[string]string{"a": "1"}, to: map[string]string{"a": "1"}, want: map[string]string{"a": "1"}},
		"error before write": {reason: "an error stops the write before any change", have: map[string]string{"d": "-> real", "real/x": "1"}, from: map[string]string{}, to: map[string]string{"d/x": "2", "e": "3"}, want: map[string]string{"d": "-> real", "real/x": "1"}, err: "d/x: d is not a directory"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := layOut(t, c.have)
			if err := WriteDir(dir, Tree{}, tree(t, c.from)); err != nil {
				t.Fatal(err)
			}
			err := WriteDir(dir, tree(t, c.from), tree(t, c.to))
			if got := ""; c.err != "" {
				if err != nil {
					got = err.Error()
				}
				if !strings.HasSuffix(got, ": "+c.err) {
					t.Errorf("%s: got %v, want %s", c.reason, err, c.err)
				}
			} else if err != nil {
				t.Errorf("%s: %v", c.reason, err)
			}
			if d := cmp.Diff(c.want, readAll(t, dir)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestRemoveThroughLink(t *testing.T) {
	dir := layOut(t, map[string]string{"d": "-> real", "real/x": "1", "l": "-> real/x", "empty/": ""})
	for _, p := range []string{"d/x", "l", "empty"} {
		if err := WriteDir(dir, tree(t, map[string]string{p: "1"}), Tree{}); err == nil {
			t.Errorf("%s was removed, although it is no regular file of the package", p)
		}
	}
	if err := WriteDir(dir, tree(t, map[string]string{"none/x": "1"}), Tree{}); err != nil {
		t.Errorf("removing a missing file failed: %v", err)
	}
	if d := cmp.Diff(map[string]string{"d": "-> real", "real/x": "1", "l": "-> real/x", "empty/": ""}, readAll(t, dir)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestWriteDirKeepsPermissions(t *testing.T) {
	dir := layOut(t, map[string]string{"run.sh": "1", "secret": "1", "locked": "1"})
	modes := map[string]fs.FileMode{"run.sh": 0o775, "secret": 0o600, "locked": 0o644}
	from, to := map[string]string{}, map[string]string{}
	for p, mode := range modes {
		from[p], to[p] = "1", "2"
		if err := os.Chmod(filepath.Join(dir, p), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteDir(dir, tree(t, from), tree(t, to)); err != nil {
		t.Fatal(err)
	}
	for p, mode := range modes {
		st, err := os.Stat(filepath.Join(dir, p))
		if err != nil || st.Mode().Perm() != mode || st.Size() != 1 {
			t.Errorf("%s: got %v %v, want %v", p, st.Mode(), err, mode)
		}
	}
}

func TestReadAfterWrite(t *testing.T) {
	want := tree(t, map[string]string{"a": "1", ".b/c": "", "d/e/f.yaml": "x: 1\n"})
	dir := t.TempDir()
	if err := WriteDir(dir, Tree{}, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadDir(dir, Limits{})
	if err != nil || !got.Equal(want) || got.Digest() != want.Digest() {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(files(want), files(got)))
	}
}
