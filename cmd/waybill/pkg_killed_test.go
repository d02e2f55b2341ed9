package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestKilledUpdate kills updates that change, add and delete files, at any moment. The package is as it
// was, or as an update leaves it that is not killed; the next update completes it, and nothing is left behind.
func TestKilledUpdate(t *testing.T) {
	testenv.Long(t, "many processes are killed")
	waybill := filepath.Join(buildWaybill(t), "waybill")
	bare := manyFiles(t)
	t.Setenv("WAYBILL_CACHE_DIR", t.TempDir())
	gotten := func() string {
		t.Chdir(t.TempDir())
		gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main", ".")
		if said, err := within(time.Minute, waybill, "pkg", "get", bare+"/many@v1", "p"); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		commitAll(t, ".", "p")
		return "p"
	}
	before := readPackage(t, gotten())
	began := time.Now()
	if said, err := within(time.Minute, waybill, "pkg", "update", "p@v2"); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	k := killer{rand.New(rand.NewPCG(1, 2)), time.Since(began), 0}
	after := readPackage(t, "p")
	for range 12 {
		dir := gotten()
		k.run(func(limit time.Duration) error {
			_, err := within(limit, waybill, "pkg", "update", dir+"@v2")
			return err
		})
		if got := readPackage(t, dir); !got.Equal(before) && !got.Equal(after) {
			t.Errorf("killed, it is neither as it was nor updated: %v", got.Diff(after))
		}
		said, err := within(time.Minute, waybill, "pkg", "update", dir+"@v2")
		if err != nil && !strings.Contains(said, "uncommitted changes") {
			t.Fatalf("the second run: %v: %s", err, said)
		}
		if got := onDisk(t, dir); !got.Equal(after) {
			t.Errorf("updated again, files differ: %v", got.Diff(after))
		}
	}
	if k.killed == 0 {
		t.Error("no update was killed: the test is too slow for this machine")
	}
}

// manyFiles is a repository with a package whose files change, come and go from v1 to v2.
func manyFiles(t *testing.T) (bare string) {
	t.Helper()
	bare = gittest.NewBare(t)
	v1, v2 := map[string]*string{}, map[string]*string{}
	for i := range 300 {
		old := plainMap(fmt.Sprintf("c%d", i), "old")
		changed := plainMap(fmt.Sprintf("c%d", i), "new")
		v1[fmt.Sprintf("many/a/f%d.yaml", i)] = &old
		v2[fmt.Sprintf("many/a/f%d.yaml", i)] = &changed
		if i%3 == 0 {
			v2[fmt.Sprintf("many/a/f%d.yaml", i)] = nil
			v2[fmt.Sprintf("many/b/f%d.yaml", i)] = &changed
		}
	}
	for tag, files := range map[string]map[string]*string{"v1": v1, "v2": v2} {
		gittest.Commit(t, bare, gittest.Change{Branch: tag, Files: files})
	}
	return bare
}

// onDisk is every file in dir.
func onDisk(t *testing.T, dir string) pkgtree.Tree {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.Walk(dir, func(file string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err == nil {
			files[name], err = os.ReadFile(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestKilledGet kills the fetching of a package at any moment. It is there whole, its program among it, or not at
// all; what is left beside it is no part of the package around, and goes with the next one.
func TestKilledGet(t *testing.T) {
	testenv.Long(t, "many processes are killed")
	waybill := filepath.Join(buildWaybill(t), "waybill")
	origin := newPkgOrigin(t)
	files := map[string]string{"many/Kptfile": edgeKptfile, "many/run.sh": "true\n"}
	for i := range 300 {
		files[fmt.Sprintf("many/d%d/f%d.yaml", i%7, i)] = plainMap(fmt.Sprintf("c%d", i), "1")
	}
	origin.commit(t, "v3", files)
	t.Setenv("WAYBILL_CACHE_DIR", t.TempDir())
	t.Chdir(t.TempDir())
	get := func(limit time.Duration) (string, error) {
		return within(limit, waybill, "pkg", "get", origin.bare+"/many@v3", "p")
	}
	whole := func() pkgtree.Tree {
		if said, err := get(time.Minute); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		if st, err := os.Stat("p/run.sh"); err != nil || st.Mode().Perm() != 0o755 {
			t.Fatalf("it holds no program: %v %v", st, err)
		}
		return onDisk(t, ".")
	}
	whole()
	must(t, os.RemoveAll("p"))
	began := time.Now()
	after := whole()
	k := killer{rand.New(rand.NewPCG(3, 4)), time.Since(began), 0}
	halfway := 0
	for n := 0; n < 20 || halfway == 0 && n < 200; n++ {
		must(t, os.RemoveAll("p"))
		k.run(func(limit time.Duration) error {
			_, err := get(limit)
			return err
		})
		around := readPackage(t, ".")
		if around.Len() > 0 && !around.Equal(after) {
			t.Errorf("killed, it is there in part: %v", around.Diff(after))
		}
		entries, err := os.ReadDir(".")
		must(t, err)
		if len(entries) == 1 && entries[0].Name() != "p" {
			halfway++
		}
		must(t, os.RemoveAll("p")) // killed after it was there, before its temporary folder was removed, both are
		if !whole().Equal(after) || len(filesIn(t, ".")) != 1 {
			t.Errorf("fetched again, there is something else: %v", filesIn(t, "."))
		}
	}
	if halfway == 0 {
		t.Error("none was killed while it wrote")
	}
}

// filesIn are the names in dir itself.
func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
