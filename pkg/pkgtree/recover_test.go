package pkgtree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/osfile"
)

func TestRecover(t *testing.T) {
	atEachStop(t, func(t *testing.T, dir string, from, to Tree, _ *writer, changes int) {
		want := to
		if changes < 0 {
			want = from
		}
		_, err := Recover(dir)
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
		if diff := cmp.Diff(files(want), readAll(t, dir)); diff != "" {
			t.Errorf("stopped after %d changes: files are left (-want +got):\n%s", changes, diff)
		}
		if did, err := Recover(dir); did || err != nil {
			t.Errorf("stopped after %d changes: there is more to do: %v", changes, err)
		}
	})
}

// TestRecoverLeavesOthers checks that Recover leaves files that another process may be writing.
func TestRecoverLeavesOthers(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, locked string
		stays          bool
	}{
		"inside":  {"another process writes to a package in it", "p/sub", true},
		"around":  {"another process writes to a package around it", ".", true},
		"beside":  {"another process writes to another package", "other", false},
		"nothing": {"no other process writes", "", false},
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
				if err := osfile.TryLock(f, osfile.Exclusive); err != nil {
					t.Fatal(err)
				}
			}
			did, err := Recover(filepath.Join(dir, "p"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(file); (err == nil) != tc.stays || did == tc.stays {
				t.Errorf("%s: the file exists: %t; Recover did something: %t", tc.reason, err == nil, did)
			}
		})
	}
}

func TestRecoverRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, legacyJournal), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(dir); err == nil || !strings.Contains(err.Error(), "is not a list of changes") {
		t.Errorf("a journal that is not valid must be left for the user: %v", err)
	}
	if _, err := Recover(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing folder cannot be recovered")
	}
}
