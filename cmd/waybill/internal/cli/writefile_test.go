package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWriteFileTo writes to all that a name may stand for.
func TestWriteFileTo(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	const old, text = "old\n", "new\n"
	file := func(name string, mode os.FileMode) func(*testing.T) {
		return func(t *testing.T) {
			makeFile(t, name, old, mode)
			if err := os.Chmod(name, mode); err != nil { // independent of the umask
				t.Fatal(err)
			}
		}
	}
	link := func(to, name string, before ...func(*testing.T)) func(*testing.T) {
		return func(t *testing.T) {
			for _, do := range before {
				do(t)
			}
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(to, name); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := map[string]struct {
		reason  string
		prepare func(*testing.T)
		to      string
		file    string // that has the text afterwards
		mode    os.FileMode
		err     string
	}{
		"New":       {"as the umask has it", func(*testing.T) {}, "r.html", "r.html", 0o640, ""},
		"There":     {"the mode stays", file("r.html", 0o604), "r.html", "r.html", 0o604, ""},
		"Link":      {"the link stays, and what it leads to is replaced", link("../b/r.html", "a/l.html", file("b/r.html", 0o600)), "a/l.html", "b/r.html", 0o600, ""},
		"Dangling":  {"or made", link("r.html", "l.html"), "l.html", "r.html", 0o640, ""},
		"Folder":    {"links of folders", link("a", "b", file("a/r.html", 0o644)), "b/r.html", "a/r.html", 0o644, ""},
		"Loop":      {"a link to itself", link("l.html", "l.html"), "l.html", "", 0, `write "l.html": too many links`},
		"Device":    {"nothing is made in the place of a device", func(*testing.T) {}, os.DevNull, "", 0, ""},
		"NoFolder":  {"what was asked for is named", func(*testing.T) {}, "no/where.html", "", 0, `write "no/where.html": no such file or directory`},
		"Directory": {"a folder", file("r.html/x", 0o644), "r.html", "", 0, `write "r.html": is a directory`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			tc.prepare(t)
			err := WriteFileTo(tc.to, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			if tc.err == "" && err != nil || tc.err != "" && (err == nil || err.Error() != tc.err) {
				t.Errorf("%s: err = %v, want %q", tc.reason, err, tc.err)
			}
			if tc.file != "" {
				got, _ := os.ReadFile(tc.file)
				info, err := os.Lstat(tc.file)
				if err != nil || string(got) != text || info.Mode() != tc.mode {
					t.Errorf("%s: %v, %q, want mode %v: %v", tc.reason, err, got, tc.mode, info)
				}
			}
			if left, _ := filepath.Glob("*/.waybill*"); len(left) > 0 {
				t.Errorf("%s: there is %q", tc.reason, left)
			}
		})
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Errorf("%s is no device any more", os.DevNull)
	}
}

// TestWriteFileToPipe writes into a pipe, and leaves what was there when a report fails.
func TestWriteFileToPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe.html", 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile("pipe.html")
		read <- string(text)
	}()
	if err := WriteFileTo("pipe.html", func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != "text" {
		t.Errorf("out of the pipe comes %q", got)
	}
	makeFile(t, "r.html", "old", 0o644)
	if err := WriteFileTo("r.html", func(io.Writer) error { return io.ErrUnexpectedEOF }); err == nil || !strings.Contains(err.Error(), "r.html") {
		t.Errorf("err = %v", err)
	}
	entries, _ := os.ReadDir(".")
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	text, _ := os.ReadFile("r.html")
	if diff := cmp.Diff([]string{"pipe.html", "r.html", "old"}, append(names, string(text))); diff != "" {
		t.Errorf("what is there after a failure (-want +got):\n%s", diff)
	}
}

func makeFile(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
