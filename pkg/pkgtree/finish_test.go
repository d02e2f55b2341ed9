package pkgtree

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFinish(t *testing.T) {
	eachStop(t, func(t *testing.T, dir string, from, to Tree, _ *staging, changes int) {
		want := to
		if changes < 0 {
			want = from
		}
		_, err := Finish(dir)
		if err != nil {
			t.Fatalf("stopped after %d changes: %v", changes, err)
		}
		got, err := ReadDir(dir, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if !got.Equal(want) {
			t.Errorf("stopped after %d changes: files differ: %v", changes, got.Diff(want))
		}
		if diff := cmp.Diff(files(want), found(t, dir)); diff != "" {
			t.Errorf("stopped after %d changes: something is left behind (-want +got):\n%s", changes, diff)
		}
		if did, err := Finish(dir); did || err != nil {
			t.Errorf("stopped after %d changes: there is more to do: %v", changes, err)
		}
	})
}

// TestFinishLeavesOthers has another process at work, on the package, on one in it or on one that it is in.
func TestFinishLeavesOthers(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, locked string
		stays          bool
	}{
		"inside":  {"files that others prepare are theirs", "p/sub", true},
		"around":  {"so are those of whoever writes all of it", ".", true},
		"beside":  {"work on another package is no concern of ours", "other", false},
		"nothing": {"nobody is at work", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, d := range []string{"p/sub", "other"} {
				if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			file := filepath.Join(dir, "p/sub", temporary+"7")
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if tc.locked != "" {
				f, err := os.Open(filepath.Join(dir, tc.locked))
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
					t.Fatal(err)
				}
			}
			did, err := Finish(filepath.Join(dir, "p"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(file); (err == nil) != tc.stays || did == tc.stays {
				t.Errorf("%s: it is there: %t; something was done: %t", tc.reason, err == nil, did)
			}
		})
	}
}

func TestFinishRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, journalName), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Finish(dir); err == nil || !strings.Contains(err.Error(), "is no list of changes") {
		t.Errorf("a journal that is none is for people to look at: %v", err)
	}
	if _, err := Finish(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there cannot be finished")
	}
}
