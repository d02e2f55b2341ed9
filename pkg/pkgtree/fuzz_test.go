package pkgtree

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzCheckPath checks that a valid path can only mean a file below the root, and that the error about another one
// has one line.
func FuzzCheckPath(f *testing.F) {
	for _, p := range []string{"", ".", "a", "a/b.yaml", "../a", "a/../../b", "/a", "a//b", "a/", ".git/x", "a/.GIT", "git~1/x", ".g\u200cit", ".git ", ".git:x", "a\\b", "a\nb", "a\x00b", "..", "...", strings.Repeat("a/", 3000)} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		err := CheckPath(p)
		var bad *PathError
		if err != nil {
			if !errors.As(err, &bad) || bad.Path != p || strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("the error does not name the path in one line: %q", err)
			}
			return
		}
		if !filepath.IsLocal(filepath.FromSlash(p)) || path.Clean("/"+p) != "/"+p || strings.ContainsAny(p, "\n\r\x00") {
			t.Fatalf("%q may mean a file outside the package", p)
		}
		for part := range strings.SplitSeq(strings.ToLower(p), "/") {
			if part == ".git" || part == "git~1" {
				t.Fatalf("%q lies in a .git directory", p)
			}
		}
	})
}

// FuzzReadDir makes a folder of its input: "path=content", "path>target" for a symbolic link, a line
// each. Only regular files are read, all of them or none, and nothing from
// outside of the folder.
func FuzzReadDir(f *testing.F) {
	for _, seed := range []string{
		"a=1\nb/c=2", "l>../outside/secret\na=1", "d>../outside", "l>.\nl/a=1", "a>a", "a>b\nb>a", "d/e>..\nd/e/x=1", ".git/config=x\na/.git=y",
		".GIT/x=1", "a>/etc/hosts", strings.Repeat("a=1\n", 3) + "b=" + strings.Repeat("x", 100), "a b=1", "x>outside/../../outside/secret",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		top := t.TempDir()
		dir := filepath.Join(top, "package")
		secret := filepath.Join(top, "outside", "secret")
		for _, err := range []error{os.Mkdir(dir, 0o755), os.Mkdir(filepath.Dir(secret), 0o755), os.WriteFile(secret, []byte("SECRET"), 0o600)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		writeLines(t, dir, text)
		limits := Limits{Files: 8, Bytes: 64}
		got, err := ReadDir(dir, limits)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || got.Len() != 0 {
				t.Fatalf("want one line and no files: %q", err)
			}
			return
		}
		checkRead(t, dir, got, limits)
	})
}

// writeLines writes the lines of text below dir, as far as the system allows: os.Root does not let it leave dir.
func writeLines(t *testing.T, dir, text string) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for i, line := range strings.SplitN(text, "\n", 20) {
		at := strings.IndexAny(line, "=>")
		if at < 0 || i == 19 {
			continue
		}
		name, rest := line[:at], line[at+1:]
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			continue
		}
		if line[at] == '>' {
			_ = root.Symlink(rest, name) // a name that is not valid makes no file
		} else if !strings.Contains(rest, "SECRET") {
			_ = root.WriteFile(name, []byte(rest), 0o644)
		}
	}
}

// checkRead compares got with a walk through dir.
func checkRead(t *testing.T, dir string, got Tree, limits Limits) {
	t.Helper()
	var size int64
	for p, blob := range got.All() {
		size += int64(len(blob.Data()))
		if strings.Contains(string(blob.Data()), "SECRET") {
			t.Fatalf("%s was read from outside", p)
		}
	}
	if got.Len() > limits.Files || size > limits.Bytes {
		t.Fatalf("%d files, %d bytes exceed %+v", got.Len(), size, limits)
	}
	regular := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case (strings.EqualFold(d.Name(), ".git") || IsWorkName(d.Name())) && d.IsDir():
			return filepath.SkipDir
		case d.Type().IsRegular() && !strings.EqualFold(d.Name(), ".git") && !IsWorkName(d.Name()):
			regular++
			rel, _ := filepath.Rel(dir, name)
			if got.Blob(filepath.ToSlash(rel)) == nil {
				t.Errorf("%s was not read", rel)
			}
		}
		return nil
	})
	if err != nil || regular != got.Len() {
		t.Fatalf("read %d files of %d: %v", got.Len(), regular, err)
	}
}
