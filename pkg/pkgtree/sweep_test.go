package pkgtree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/osfile"
)

// TestSweepFolders kills a write while it prepares. The folders that the write made are removed; those that others
// made, empty or not, stay.
func TestSweepFolders(t *testing.T) {
	have := map[string]string{"mine/": "", "also/mine/": "", "full/x": "x"}
	to := map[string]string{"mine/new/a": "1", "mine/b": "1", "also/mine/n/o/c": "1", "also/mine/n/p/d": "1", "full/n/e": "1", "n/f": "1"}
	dir := layOut(t, have)
	w, _ := startWrite(t, dir, Tree{}, mustTree(t, to), -1)
	if err := os.MkdirAll(filepath.Join(dir, "full/n/theirs"), 0o755); err != nil { // since
		t.Fatal(err)
	}
	have["full/n/theirs/"] = ""
	if len(w.made) != 6 {
		t.Fatalf("folders were made: %v", w.made)
	}
	if got, err := ReadDir(dir, Limits{}); err != nil || got.Len() != 1 {
		t.Errorf("prepared files are in the package: %v %v", got.Paths(), err)
	}
	for name, finish := range map[string]func() error{
		"write":  func() error { return WriteDir(dir, Tree{}, Tree{}) },
		"finish": func() error { _, err := Recover(dir); return err },
	} {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		was := dir
		dir = copied
		if err := finish(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(have, readAll(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		dir = was
	}
}

// TestSweepPartly uses a list of folders of which not all were made, with lines that are not valid.
func TestSweepPartly(t *testing.T) {
	dir := layOut(t, map[string]string{"a/b/": "", "kept/": "", "up/": "", "sub/c/": "",
		legacyMade: "3 a/b/c\n9 kept/../up\nx kept\n0 kept\n-1 kept\n\n1 ../x\n2 unfinish", "sub/" + legacyMade: "1 c\n"})
	if did, err := Recover(dir); !did || err != nil {
		t.Fatal(did, err)
	}
	if diff := cmp.Diff(map[string]string{"kept/": "", "up/": "", "sub/": ""}, readAll(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMadeFileThroughLink puts links in the place of temporary files, and checks that no write follows them.
func TestMadeFileThroughLink(t *testing.T) {
	dir := layOut(t, map[string]string{legacyMade: "-> victim", temporary + "0": "-> victim", "victim": "v"})
	if err := WriteDir(dir, Tree{}, mustTree(t, map[string]string{"new/a": "1"})); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{legacyMade: "-> victim", temporary + "0": "-> victim", "victim": "v", "new/a": "1"}, readAll(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStaleFolders puts staging folders beside a new package and below one that is recovered. They are removed, unless
// another process has locked them.
func TestStaleFolders(t *testing.T) {
	stale, random := temporary+"0", temporary+"18446744073709551615"
	for name, tc := range map[string]struct {
		reason string
		locked string
		stays  bool
	}{
		"stale":  {"no process has locked it", "", false},
		"held":   {"another process has locked it", stale, true},
		"inside": {"another process writes what is in it", stale + "/p", true},
	} {
		for what, clear := range map[string]func(dir string) error{
			"make":   func(dir string) error { return MakeDir(filepath.Join(dir, "new"), Tree{}) },
			"finish": func(dir string) error { _, err := Recover(dir); return err },
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				dir := layOut(t, map[string]string{stale + "/p/a": "x", random + "/p/deep/a": "x", "mine/": "", temporary + "x/b": "1"})
				if tc.locked != "" {
					f, err := os.Open(filepath.Join(dir, tc.locked))
					if err != nil {
						t.Fatal(err)
					}
					defer f.Close()
					if err := osfile.TryLock(f, osfile.Exclusive); err != nil {
						t.Fatal(err)
					}
				}
				if err := clear(dir); err != nil {
					t.Fatal(err)
				}
				want := map[string]string{"mine/": "", temporary + "x/b": "1"}
				if what == "make" {
					want["new/"] = ""
				}
				if tc.stays {
					want[stale+"/p/a"] = "x"
				}
				if diff := cmp.Diff(want, readAll(t, dir)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			})
		}
	}
}

// TestSweepFinishesBelow sweeps a folder with an interrupted write to a package in it: the write is finished first.
func TestSweepFinishesBelow(t *testing.T) {
	dir := layOut(t, map[string]string{"sub/a": "1", "sub/b": "1"})
	sub := filepath.Join(dir, "sub")
	from, to := mustTree(t, map[string]string{"a": "1", "b": "1"}), mustTree(t, map[string]string{"a": "2", "b": "2"})
	startWrite(t, sub, from, to, 1)
	if did, err := Recover(dir); !did || err != nil {
		t.Errorf("Recover did nothing: %t %v", did, err)
	}
	if diff := cmp.Diff(files(to), readAll(t, sub)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMakeDir checks that a new folder has all its files, or is not made.
func TestMakeDir(t *testing.T) {
	full := map[string]string{"Kptfile": "k", "a/b/run": "r", "a/c": ""}
	for name, tc := range map[string]struct {
		reason string
		have   map[string]string
		to     map[string]string
		dir    string
		err    string
	}{
		"new":     {reason: "all files are written", to: full, dir: "p"},
		"empty":   {reason: "an empty package is a folder", dir: "p"},
		"there":   {reason: "a folder is not overwritten", have: map[string]string{"p/": ""}, to: full, dir: "p", err: "file already exists"},
		"a link":  {reason: "a dangling link is not overwritten", have: map[string]string{"p": "-> none"}, to: full, dir: "p", err: "file already exists"},
		"here":    {reason: "the current folder exists", to: full, dir: ".", err: "file already exists"},
		"nowhere": {reason: "its parent must exist", to: full, dir: "none/p", err: "no such file or directory"},
		"long":    {reason: "a failure leaves nothing", to: map[string]string{"a/b": "1", "c/" + strings.Repeat("n", 300): "2"}, dir: "p", err: `c/` + strings.Repeat("n", 98) + "…" + strings.Repeat("n", 100) + ": file name too long"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := layOut(t, tc.have)
			was := readAll(t, dir)
			err := MakeDir(filepath.Join(dir, tc.dir), mustTree(t, tc.to), "a/b/run", "no/such")
			if tc.err != "" {
				if err == nil || !strings.HasSuffix(err.Error(), ": "+tc.err) {
					t.Errorf("%s: got %v, want %s", tc.reason, err, tc.err)
				}
				if diff := cmp.Diff(was, readAll(t, dir)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			got, err := ReadDir(filepath.Join(dir, tc.dir), Limits{})
			if diff := cmp.Diff(tc.to, files(got)); err != nil || len(tc.to)+got.Len() > 0 && diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
				t.Errorf("%s: files are left beside it: %v %v", tc.reason, entries, err)
			}
			if tc.to != nil {
				checkModes(t, filepath.Join(dir, tc.dir), map[string]os.FileMode{"a/b/run": 0o755, "a/c": 0o644, "a": 0o755, ".": 0o755})
			}
		})
	}
}

// TestSweepManyFolders kills a write to more folders than one processor sweeps.
func TestSweepManyFolders(t *testing.T) {
	have, to := map[string]string{"mine/": ""}, map[string]string{}
	for i := range 5 * partSize {
		have[fmt.Sprintf("clusters/edge-%d/x", i)], to[fmt.Sprintf("clusters/edge-%d/shop/y", i)] = "x", "y"
		to[fmt.Sprintf("clusters/new-%d/y", i)] = "y"
	}
	dir := layOut(t, have)
	startWrite(t, dir, Tree{}, mustTree(t, to), -1)
	if diff := cmp.Diff(have, readAll(t, dir)); diff == "" {
		t.Fatal("the write left nothing")
	}
	if did, err := Recover(dir); !did || err != nil {
		t.Fatal(did, err)
	}
	if diff := cmp.Diff(have, readAll(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if did, err := Recover(dir); did || err != nil {
		t.Error("there was something to do again", err)
	}
}
