package pkgtree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
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

// TestReadRecovered holds that ReadRecovered finishes and reads what Recover and ReadDir do, wherever a write was killed.
func TestReadRecovered(t *testing.T) {
	agree := func(t *testing.T, dir string) (did bool) {
		t.Helper()
		got, did, err := ReadRecovered(dir, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		there, err := ReadDir(dir, Limits{})
		if err != nil || !got.Equal(there) {
			t.Errorf("it read other files than there are: %v %v", got.Diff(there), err)
		}
		if again, err := Recover(dir); again || err != nil {
			t.Error("there was more to do", err)
		}
		return did
	}
	atEachStop(t, func(t *testing.T, dir string, from, to Tree, _ *writer, changes int) {
		want := to
		if changes < 0 {
			want = from
		}
		agree(t, dir)
		if diff := cmp.Diff(files(want), readAll(t, dir)); diff != "" {
			t.Errorf("stopped after %d changes (-want +got):\n%s", changes, diff)
		}
	})
	many := map[string]string{"mine/": "", "sub/a": "1", "sub/b": "1"}
	for i := range 5 * partSize {
		many["clusters/edge-"+strconv.Itoa(i)+"/x"] = "x"
	}
	dir := layOut(t, many)
	if agree(t, dir) {
		t.Error("nothing was killed, and it did something")
	}
	from, to := mustTree(t, map[string]string{"a": "1", "b": "1"}), mustTree(t, map[string]string{"a": "2", "b": "2"})
	startWrite(t, filepath.Join(dir, "sub"), from, to, 1)
	startWrite(t, filepath.Join(dir, "clusters/edge-7"), Tree{}, mustTree(t, map[string]string{"new/y": "y"}), -1)
	if many["sub/a"], many["sub/b"] = "2", "2"; !agree(t, dir) {
		t.Error("writes in folders below were killed, and it did nothing")
	}
	if diff := cmp.Diff(many, readAll(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, did, err := ReadRecovered(filepath.Join(dir, "none"), Limits{}); did || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is no such folder: %v", err)
	}
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
