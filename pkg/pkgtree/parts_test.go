package pkgtree

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// large are two versions of a package whose changes are made in parts: files are replaced, come and go, in folders that have many files
// and in many folders, and a Kptfile comes last.
func large(t *testing.T) (from, to Tree) {
	old, changed := map[string]string{"Kptfile": "1"}, map[string]string{"Kptfile": "2"}
	for i := range 5 * partSize {
		n := strconv.Itoa(i)
		old["flat/"+n], changed["flat/"+n] = n, n+" changed"
		old["clusters/"+n+"/work"], changed["clusters/"+n+"/work"] = n, n+" changed"
		changed["new/"+strconv.Itoa(i%7)+"/deep/"+n] = n
		if i%3 == 0 {
			delete(changed, "flat/"+n)
			changed["clusters/"+n+"/more/deep/work"] = n
		}
	}
	return mustTree(t, old), mustTree(t, changed)
}

// TestWriteInParts makes the same changes in parts and in turn: the files, the errors and their order are the same.
func TestWriteInParts(t *testing.T) {
	link := func(t *testing.T, dir, p string) {
		if err := os.Remove(filepath.Join(dir, p)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("elsewhere", filepath.Join(dir, p)); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		reason  string
		prepare func(t *testing.T, dir string)
		err     bool
	}{
		"nothing": {"all files are as they were read", func(*testing.T, string) {}, false},
		"one":     {"a link in the last part", func(t *testing.T, dir string) { link(t, dir, "flat/99") }, true},
		"many": {"more errors than one lists, in all parts", func(t *testing.T, dir string) {
			for i := range 5 * partSize {
				if i%20 == 0 {
					link(t, dir, fmt.Sprintf("clusters/%d/work", i))
				}
			}
			link(t, dir, "Kptfile")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := large(t)
			errs, left := make([]string, 2), make([]map[string]string, 2)
			for i := range errs {
				dir := layOut(t, files(from))
				tc.prepare(t, dir)
				w := newWrite(t, dir, from, to)
				w.inTurn = i == 1
				was := readAll(t, dir)
				errs[i] = fmt.Sprint(w.write())
				left[i] = readAll(t, dir)
				if tc.err != (errs[i] != "<nil>") || tc.err && cmp.Diff(was, left[i]) != "" {
					t.Errorf("%s: %s (-before +after):\n%s", tc.reason, errs[i], cmp.Diff(was, left[i]))
				}
			}
			if !tc.err && cmp.Diff(files(to), left[0]) != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, cmp.Diff(files(to), left[0]))
			}
			if diff := cmp.Diff(errs[1], errs[0]); diff != "" {
				t.Errorf("%s: other errors (-in turn +in parts):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(left[1], left[0]); diff != "" {
				t.Errorf("%s: other files (-in turn +in parts):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestKilledInParts kills writes while several parts rename files: any of these may be done. Reading returns the whole new package,
// and the write is finished.
func TestKilledInParts(t *testing.T) {
	from, to := large(t)
	for seed := range uint64(8) {
		dir := layOut(t, files(from))
		w, _ := startWrite(t, dir, from, to, 0)
		random := rand.New(rand.NewPCG(seed, 0))
		some := slices.DeleteFunc(slices.Clone(w.ops), func(o op) bool { return o.phase() > 0 || random.IntN(8) >= int(seed) })
		if err := w.applyAll(some); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(to) {
			t.Errorf("killed after %d changes, reading: %v %v", len(some), got.Diff(to), err)
		}
		if did, err := Recover(dir); !did || err != nil {
			t.Errorf("killed after %d changes, finishing: %t %v", len(some), did, err)
		}
		if diff := cmp.Diff(files(to), readAll(t, dir)); diff != "" {
			t.Errorf("killed after %d changes, then finished (-want +got):\n%s", len(some), diff)
		}
	}
}

// TestUndoInParts fails in several parts: everything is as it was, and the error is that of the first file.
func TestUndoInParts(t *testing.T) {
	from, to := large(t)
	dir := layOut(t, files(from))
	w, _ := startWrite(t, dir, from, to, -1)
	for _, i := range []int{400, 200, 300} {
		if err := os.Remove(filepath.Join(dir, w.ops[i].Tmp)); err != nil {
			t.Fatal(err)
		}
	}
	want := w.ops[200].Path + ": no such file or directory"
	if err := w.commit(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if diff := cmp.Diff(files(from), readAll(t, dir)); diff != "" {
		t.Errorf("the folder changed (-before +after):\n%s", diff)
	}
}
