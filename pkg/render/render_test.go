package render

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/runner"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden renders the package in each testdata/*.txtar. A case holds the package's files under
// in/, and the files that rendering changes, adds or empties under out/, and the error.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d golden cases (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runCase(t, file) })
	}
}

func runCase(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := section(t, ar, "in/")
	got := renderCase(t, in, testFactory{})
	if d := cmp.Diff(got, renderCase(t, in, testFactory{through: true})); d != "" {
		t.Errorf("in-process and through the protocol differ (-in-process +protocol):\n%s", d)
	}
	if *update {
		rewrite(t, file, ar, got)
		return
	}
	want := map[string]string{}
	for _, f := range ar.Files {
		if !strings.HasPrefix(f.Name, "in/") {
			want[f.Name] = string(f.Data)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s(-want +got):\n%s", ar.Comment, d)
	}
}

func section(t *testing.T, ar *txtar.Archive, prefix string) pkgtree.Tree {
	files := map[string][]byte{}
	for _, f := range ar.Files {
		if rest, ok := strings.CutPrefix(f.Name, prefix); ok {
			files[rest] = f.Data
		}
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// renderCase returns what changed, by "out/" path, and the error under "error". It also checks
// that a second render changes nothing and that the input is not changed.
func renderCase(t *testing.T, in pkgtree.Tree, f runner.Factory) map[string]string {
	before := in.Digest()
	res, err := Render(context.Background(), in, Options{Functions: f})
	checkInPlace(t, in, f, res, err)
	if in.Digest() != before {
		t.Fatal("rendering changed its input")
	}
	got := map[string]string{}
	if err != nil {
		if res.Partial != (res.Tree.Len() != 0) {
			t.Errorf("partial is %t, and the tree of the failed render has %d files", res.Partial, res.Tree.Len())
		}
		got["error"] = err.Error() + "\n"
	} else if _, grows := in.Get("grows"); !grows { // a case whose functions are not idempotent says so
		checkIdempotent(t, res.Tree, f)
	}
	if err != nil && !res.Partial {
		return got
	}
	for _, p := range in.Diff(res.Tree) {
		data, ok := res.Tree.Get(p)
		if !ok {
			data = []byte("(deleted)\n")
		}
		got["out/"+p] = string(data)
	}
	return got
}

// checkInPlace holds that a render for a caller that needs no items gives the same files and the same error.
func checkInPlace(t testing.TB, in pkgtree.Tree, f runner.Factory, want *Result, wantErr error) {
	t.Helper()
	packed := map[string]*pkgtree.Blob{}
	for file, b := range in.All() {
		packed[file] = pkgtree.PackBlob(b.Data())
	}
	tree, err := pkgtree.FromBlobs(packed)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Render(context.Background(), tree, Options{Functions: f, InPlace: true})
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Errorf("in place the error is %v, want %v", err, wantErr)
	}
	if !got.Tree.Equal(want.Tree) || got.Partial != want.Partial || len(got.Steps) != len(want.Steps) || len(got.Items) > 0 {
		t.Errorf("in place other files are written: %q", got.Tree.Diff(want.Tree))
	}
}

func checkIdempotent(t testing.TB, rendered pkgtree.Tree, f runner.Factory) {
	again, err := Render(context.Background(), rendered, Options{Functions: f})
	if err != nil {
		t.Fatalf("second render: %v", err)
	}
	for _, p := range rendered.Diff(again.Tree) {
		was, _ := rendered.Get(p)
		is, _ := again.Tree.Get(p)
		t.Errorf("second render changed %s (-first +second):\n%s", p, cmp.Diff(string(was), string(is)))
	}
}

func rewrite(t *testing.T, file string, ar *txtar.Archive, got map[string]string) {
	ar.Files = slices.DeleteFunc(ar.Files, func(f txtar.File) bool { return !strings.HasPrefix(f.Name, "in/") })
	for _, name := range slices.Sorted(maps.Keys(got)) {
		ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(got[name])})
	}
	if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestLazyDropped checks that a syntax error in an object that a function drops without reading it is no error. In an object
// that stays it is one: see the case lazy-broken.
func TestLazyDropped(t *testing.T) {
	in := map[string][]byte{
		"Kptfile":   []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: root\npipeline:\n  mutators:\n  - image: drop\n    configMap:\n      drop: work\n"),
		"work.yaml": []byte("apiVersion: example.com/v1\nkind: Work\nmetadata:\n  name: work\n  annotations:\n    waybill.dev/generated-by: nobody\nspec:\n  list: [1, 2\n"),
	}
	tree, err := pkgtree.New(in)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Render(t.Context(), tree, Options{Functions: testFactory{}})
	if err != nil || res.Tree.Blob("work.yaml") != nil {
		t.Errorf("%v, %v", res.Tree.Paths(), err)
	}
}
