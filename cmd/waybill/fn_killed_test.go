package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestKilledRender kills renders that move, change and make files, at any moment. Run again, they come
// to the same end as one that is not killed.
func TestKilledRender(t *testing.T) {
	testenv.Long(t, "many processes are killed")
	waybill := filepath.Join(t.TempDir(), "waybill")
	installWaybill(t, waybill)
	bin := t.TempDir()
	script := "#!/bin/sh\nsed -E \"s,(kubernetes.io/path: '?)f([0-9]*[02468]).yaml,\\1moved/f\\2.yaml,; s,word: old,word: new,\"\n"
	if err := os.WriteFile(filepath.Join(bin, "move"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	onPath(t, bin)
	whole := killable(t)
	began := time.Now()
	if said, err := within(time.Minute, waybill, "fn", "render", "--allow-exec", whole); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	k := killer{rand.New(rand.NewPCG(1, 2)), time.Since(began), 0}
	want := readPackage(t, whole)
	for range 12 {
		dir := killable(t)
		k.run(func(limit time.Duration) error {
			_, err := within(limit, waybill, "fn", "render", "--allow-exec", dir)
			return err
		})
		if said, err := within(time.Minute, waybill, "fn", "render", "--allow-exec", dir); err != nil {
			t.Fatalf("the second run: %v: %s", err, said)
		}
		if got := readPackage(t, dir); !got.Equal(want) {
			t.Errorf("files differ from those of a render that was not killed: %v", want.Diff(got))
		}
	}
	if k.killed == 0 {
		t.Error("no render was killed: the test is too slow for this machine")
	}
}

// killable is a package of many files, half of which move.
func killable(t *testing.T) string {
	files := map[string][]byte{"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators:\n  - exec: move\n")}
	for i := range 400 {
		files[fmt.Sprintf("f%d.yaml", i)] = fmt.Appendf(nil, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%d\ndata:\n  word: old\n", i)
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "p")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, tree); err != nil {
		t.Fatal(err)
	}
	return dir
}

// within runs a program, and kills it when it takes longer.
// killer gives what it runs less time than it takes, at random.
type killer struct {
	random *rand.Rand
	whole  time.Duration // the shortest run so far that was not killed
	killed int
}

func (k *killer) run(f func(limit time.Duration) error) {
	began := time.Now()
	if err := f(time.Duration(k.random.Float64() * 1.1 * float64(k.whole))); err != nil {
		k.killed++
		return
	}
	k.whole = min(k.whole, time.Since(began))
}

func within(limit time.Duration, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	said, err := cmd.CombinedOutput()
	return string(said), err
}

func readPackage(t *testing.T, dir string) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestRenderReadsResourcesOnly renders beside files that cannot or should not be read.
func TestRenderReadsResourcesOnly(t *testing.T) {
	dir := writeArchive(t, "-- Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators:\n  - image: set-labels:v0.2\n    configMap:\n      a: b\n-- a.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n-- private.key --\nmine\n")
	if err := os.Chmod(filepath.Join(dir, "private.key"), 0); err != nil {
		t.Fatal(err)
	}
	model, err := os.Create(filepath.Join(dir, "model.bin"))
	if err == nil {
		err = model.Truncate(1 << 40) // a hole, which takes no room
		model.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if code := execute(context.Background(), []string{"fn", "render", dir}, nil, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	tree, err := pkgtree.ReadDir(dir, render.InputFiles)
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := tree.Get("a.yaml"); !strings.Contains(string(data), "a: b") {
		t.Errorf("a.yaml is not rendered:\n%s", data)
	}
}
