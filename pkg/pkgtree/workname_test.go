package pkgtree

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWorkNames checks that no file of a package can have the name of a temporary file, so that neither overwrites
// the other.
func TestWorkNames(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	names := []string{legacyJournal, legacyMade}
	folder, held, err := newStagingFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for _, name := range append(names, folder) {
		if !IsWorkName(name) || CheckPath(name) == nil || CheckPath("a/"+name+"/b") == nil {
			t.Errorf("%s can be a file of a package", name)
		}
	}
}

func TestErrorList(t *testing.T) {
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
		"none": {"no error", []error{nil, nil}, 2, ""},
		"few":  {"each error is shown", append(bad(2, syscall.EACCES), nil), 3, "f0: permission denied\nf1: permission denied"},
		"many": {"ten errors of a thousand are shown", bad(1000, syscall.EISDIR), 1000, "f9: is a directory\nand 990 more"},
		"full": {"a full disk stops the write", bad(1000, syscall.ENOSPC), 1, "f0: no space left on device"},
		"last": {"it stops the write after other errors, too", append(bad(20, syscall.EISDIR), bad(2, syscall.EROFS)...), 21, "and 11 more"},
	} {
		t.Run(name, func(t *testing.T) {
			var all errorList
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
			if !strings.HasSuffix(got, tc.want) || (got == "") != (tc.want == "") || took != tc.took || strings.Count(got, "\n") > maxErrors {
				t.Errorf("%s: got %q after %d", tc.reason, got, took)
			}
		})
	}
}

// TestManyErrors checks that an error about many files names ten.
func TestManyErrors(t *testing.T) {
	have, to := map[string]string{}, map[string]string{}
	for i := range 15 {
		have[fmt.Sprintf("f%02d", i)], to[fmt.Sprintf("f%02d", i)] = "-> none", "1"
	}
	err := WriteDir(layOut(t, have), Tree{}, mustTree(t, to))
	if err == nil || strings.Count(err.Error(), "not a regular file") != 10 || !strings.HasSuffix(err.Error(), "f09: not a regular file\nand 5 more") {
		t.Errorf("got %v", err)
	}
}

// TestLongNames checks that an error about a long name is short, and names no temporary file.
func TestLongNames(t *testing.T) {
	dir := t.TempDir()
	err := WriteDir(dir, Tree{}, mustTree(t, map[string]string{"a": "1", "sub/" + strings.Repeat("n", 256): "1"}))
	want := "sub/" + strings.Repeat("n", 96) + "…" + strings.Repeat("n", 100) + ": file name too long"
	if err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if diff := cmp.Diff(map[string]string{}, readAll(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
