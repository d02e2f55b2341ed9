package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
	"github.com/waybill-dev/waybill/pkg/runner/memo"
)

// labelled is a package of n Deployments, and five functions that are linked in.
func labelled(t testing.TB, n int) pkgtree.Tree {
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators:\n"
	for i := range 5 {
		kptfile += fmt.Sprintf("  - image: set-labels:v0.2\n    configMap:\n      label-%d: x\n", i)
	}
	files := map[string][]byte{"Kptfile": []byte(kptfile)}
	for i := range n {
		files[fmt.Sprintf("%02d/app-%d.yaml", i/100, i)] = fmt.Appendf(nil, "# Number %[1]d.\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-%[1]d\nspec:\n"+
			"  replicas: 2 # for now\n  template:\n    spec:\n      containers:\n      - name: main\n        image: registry.example.com/app-%[1]d:1.0.0\n        ports:\n"+
			"        - containerPort: 8080\n        resources:\n          limits:\n            cpu: 500m\n            memory: 128Mi\n", i)
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

var took = regexp.MustCompile(`(?m) in [^ ]+$`)

// TestFnRenderRecalls renders the same package twice: the second time from the cache, with the same
// files, lines and results.
func TestFnRenderRecalls(t *testing.T) {
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	var said []string
	var trees []pkgtree.Tree
	for _, flags := range [][]string{{"--no-cache"}, {}, {}, {"--no-cache"}} {
		dir := filepath.Join(t.TempDir(), "p")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, labelled(t, 3)); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr strings.Builder
		if code := execute(context.Background(), append([]string{"fn", "render", dir}, flags...), nil, &stdout, &stderr); code != 0 {
			t.Fatalf("exit code %d: %s", code, &stderr)
		}
		tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		said, trees = append(said, took.ReplaceAllString(stderr.String(), "")), append(trees, tree)
	}
	if strings.Contains(said[1], "(cache)") || !strings.Contains(said[2], "(cache)") || strings.Contains(said[3], "(cache)") {
		t.Errorf("of four renders the third is to be from the cache:\n%s", strings.Join(said, "\n"))
	}
	if d := cmp.Diff(said[0], strings.ReplaceAll(said[2], "(cache)", "(in-process)")); d != "" {
		t.Errorf("(-rendered +recalled):\n%s", d)
	}
	for i, tree := range trees {
		if !tree.Equal(trees[0]) {
			t.Errorf("render %d gave other files: %v", i, trees[0].Diff(tree))
		}
	}
}

// BenchmarkRecall is a render that was done before, all its files read from disk, beside reading and
// hashing these files and beside the render itself. Nothing is written.
func BenchmarkRecall(b *testing.B) {
	factory, err := choose.Options{Runtime: "inproc"}.Factory()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{10, 1000} {
		dir := b.TempDir()
		if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, labelled(b, n)); err != nil {
			b.Fatal(err)
		}
		cache := memo.New(b.TempDir(), 0, func(err error) { b.Error(err) })
		read := func() pkgtree.Tree {
			tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			return tree
		}
		renderWith := func(m render.Cache, cached bool) {
			result, err := render.Render(context.Background(), read(), render.Options{Functions: factory, Cache: m})
			if err != nil || result.Cached != cached {
				b.Fatalf("cached is %t, want %t (%v)", result.Cached, cached, err)
			}
		}
		renderWith(cache, false)
		for name, run := range map[string]func(){
			"read and hash": func() {
				h := sha256.New()
				for _, blob := range read().All() {
					h.Write(blob.Data())
				}
			},
			"recall": func() { renderWith(cache, true) },
			"render": func() { renderWith(nil, false) },
		} {
			b.Run(fmt.Sprintf("resources=%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					run()
				}
			})
		}
	}
}
