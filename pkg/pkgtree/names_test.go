package pkgtree

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestNamesOfOurs holds that a package has no file of a name that a write may give, so that neither is written
// over the other.
func TestNamesOfOurs(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	given := []string{journalName, madeName}
	folder, held, err := newFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for _, name := range append(given, folder) {
		if !IsWorkName(name) || CheckPath(name) == nil || CheckPath("a/"+name+"/b") == nil {
			t.Errorf("%s can be a file of a package", name)
		}
	}
}

func TestTroubles(t *testing.T) {
	bad := func(n int, err error) (out []error) {
		for i := range n {
			out = append(out, fmt.Errorf("f%d: %w", i, err))
		}
		return out
	}
	for name, tc := range map[string]struct {
		reason string
		errs   []error
		took   int
		want   string
	}{
		"none": {"nothing is wrong", []error{nil, nil}, 2, ""},
		"few":  {"each is told", append(bad(2, syscall.EACCES), nil), 3, "f0: permission denied\nf1: permission denied"},
		"many": {"not all of a thousand", bad(1000, syscall.EISDIR), 1000, "f9: is a directory\nand 990 more"},
		"full": {"a full disk is full for all", bad(1000, syscall.ENOSPC), 1, "f0: no space left on device"},
		"last": {"also where there is trouble already", append(bad(20, syscall.EISDIR), bad(2, syscall.EROFS)...), 21, "and 11 more"},
	} {
		t.Run(name, func(t *testing.T) {
			var all troubles
			took := 0
			for _, err := range tc.errs {
				took++
				if !all.add(err) {
					break
				}
			}
			got := ""
			if err := all.err(); err != nil {
				got = err.Error()
			}
			if !strings.HasSuffix(got, tc.want) || (got == "") != (tc.want == "") || took != tc.took || strings.Count(got, "\n") > mostTold {
				t.Errorf("%s: got %q after %d", tc.reason, got, took)
			}
		})
	}
}

// TestManyInTheWay cannot write many files: ten are named.
func TestManyInTheWay(t *testing.T) {
	have, to := map[string]string{}, map[string]string{}
	for i := range 15 {
		have[fmt.Sprintf("f%02d", i)], to[fmt.Sprintf("f%02d", i)] = "-> none", "1"
	}
	err := WriteDir(put(t, have), Tree{}, mustTree(t, to))
	if err == nil || strings.Count(err.Error(), "not a regular file") != 10 || !strings.HasSuffix(err.Error(), "f09: not a regular file\nand 5 more") {
		t.Errorf("got %v", err)
	}
}

// TestLongNames cannot be written; what is said is short, and names no file of ours.
func TestLongNames(t *testing.T) {
	dir := t.TempDir()
	err := WriteDir(dir, Tree{}, mustTree(t, map[string]string{"a": "1", "sub/" + strings.Repeat("n", 256): "1"}))
	want := "sub/" + strings.Repeat("n", 96) + "…" + strings.Repeat("n", 100) + ": file name too long"
	if err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if diff := cmp.Diff(map[string]string{}, found(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAbout(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		err    error
		want   string
	}{
		"file":  {"the file of ours that it was about is not named", &os.PathError{Op: "openat", Path: temporary + "0", Err: syscall.ENOSPC}, "a/b: no space left on device"},
		"names": {"nor are two of them", &os.LinkError{Op: "renameat", Old: temporary + "0", New: "b", Err: syscall.EDQUOT}, "a/b: disk quota exceeded"},
		"other": {"what is no error of the system stays", errors.New("odd"), "a/b: odd"},
	} {
		if got := about("a/b", tc.err); got.Error() != tc.want || !errors.Is(got, bare(tc.err)) {
			t.Errorf("%s: %s: got %v, want %s", name, tc.reason, got, tc.want)
		}
	}
	if about("a", nil) != nil {
		t.Error("no error is none")
	}
}

func FuzzShort(f *testing.F) {
	f.Add("a")
	f.Add(strings.Repeat("ü", 300))
	f.Add("x" + strings.Repeat("\U0001f600", 100))
	f.Fuzz(func(t *testing.T, p string) {
		got := short(p)
		if len(p) <= longest && got != p || len(got) > longest {
			t.Errorf("%q is shown as %q", p, got)
		}
		if utf8.ValidString(p) && !utf8.ValidString(got) {
			t.Errorf("%q is cut within a letter: %q", p, got)
		}
	})
}
