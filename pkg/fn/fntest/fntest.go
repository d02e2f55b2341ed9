// Package fntest runs golden cases of functions and checks in every one the laws of all functions.
//
// Shape: a case is one txtar file: a line that says why it exists, then
//
//	-- config.yaml --   the functionConfig; may be missing
//	-- in.yaml --       the items; an object without a path annotation is filed as in.yaml
//	-- out.yaml --      the items that are new or changed, and a line "# removed: ID" for each that was removed
//	-- results.txt --   the results, a line each; missing when there are none
//	-- lost.txt --      comments that the case expects to be lost, a line each; usually missing
//	-- again.txt --     why a second run changes items or results again; usually missing, and a
//	                    fault when it does not
//
// Cost: some five runs of the function for each case.
// Errors: a case that differs or breaks a law fails the test, with its first line and the difference.
// Source: ours; txtar is that of golang.org/x/tools.
//
// `go test -update` rewrites out.yaml and results.txt; read the difference before you commit it.
//
// The laws: input untouched, config included; same input, same output; a second run changes
// nothing; the order of items does not matter; comments of what stays are kept; the same bytes
// through the protocol; an error result means the input's items and exit status 1.
package fntest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Update is the flag -update of every test binary that imports this package.
var Update = flag.Bool("update", false, "rewrite golden files, and what else is generated")

// Run runs every case that glob matches against f. No match is an error: a suite without cases
// would always pass.
func Run(t *testing.T, f *fn.Function, glob string) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden cases match %q (%v)", glob, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runCase(t, f, file) })
	}
}

func runCase(t *testing.T, f *fn.Function, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if reason := strings.TrimSpace(string(ar.Comment)); reason == "" {
		t.Fatalf("%s: say in its first line why the case exists", file)
	}
	c := parseCase(t, ar)
	c.checkLaws(t, f) // before anything could have changed the input
	out := f.Apply(context.Background(), c.input())
	gotItems, gotResults := changes(t, c.input().Items, out.Items), results(out)
	if *Update {
		rewrite(t, file, ar, gotItems, gotResults)
		return
	}
	if d := cmp.Diff(c.out, gotItems); d != "" {
		t.Errorf("%sitems (-want +got):\n%s", ar.Comment, d)
	}
	if d := cmp.Diff(c.results, gotResults); d != "" {
		t.Errorf("%sresults (-want +got):\n%s", ar.Comment, d)
	}
}

// testCase is a parsed txtar file.
type testCase struct {
	items        []*krm.Object
	config       *krm.Object
	files        fn.Files
	out, results string
	lost         []string
	again        string
}

func (c *testCase) checkLaws(t *testing.T, f *fn.Function) {
	t.Helper()
	if c.again == "" {
		CheckLaws(t, f, c.input(), c.lost)
		return
	}
	if !CheckLawsOfOneRun(t, f, c.input(), c.lost) {
		t.Errorf("again.txt says that a second run differs, and it does not: %s", c.again)
	}
}

func (c *testCase) input() *fn.Input {
	return &fn.Input{Items: c.items, Config: c.config, Files: c.files}
}

func parseCase(t *testing.T, ar *txtar.Archive) *testCase {
	c := &testCase{}
	for _, f := range ar.Files {
		switch f.Name {
		case "config.yaml":
			objs := Parse(t, f.Name, f.Data)
			if len(objs) != 1 {
				t.Fatalf("%s holds %d objects, want one", f.Name, len(objs))
			}
			c.config = objs[0]
		case "in.yaml":
			c.items = Parse(t, f.Name, f.Data)
			fileItems(c.items)
		case "out.yaml":
			c.out = string(f.Data)
		case "results.txt":
			c.results = string(f.Data)
		case "lost.txt":
			c.lost = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		case "again.txt":
			c.again = strings.TrimSpace(string(f.Data))
		default:
			file, ok := strings.CutPrefix(f.Name, "files/")
			if !ok {
				t.Fatalf("unknown section %q", f.Name)
			}
			if c.files == nil {
				c.files = fn.Files{}
			}
			c.files[file] = f.Data
		}
	}
	return c
}

// Parse reads objects and fails t when they cannot be read.
func Parse(t testing.TB, name string, data []byte) []*krm.Object {
	t.Helper()
	objs, err := krm.Read(name, data, krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objs
}

// fileItems gives every item the annotations an orchestrator would.
func fileItems(items []*krm.Object) {
	next := map[string]int{}
	for _, o := range items {
		path := o.File()
		index := next[path]
		if o.HasAnnotation(krm.IndexAnnotation) || o.HasAnnotation(krm.LegacyIndexAnnotation) {
			index = o.Index()
		}
		next[path] = index + 1
		o.SetPath(path, index)
	}
}

func results(out *fn.Output) string {
	var b strings.Builder
	for _, r := range out.Results {
		b.WriteString(fn.FormatResult(r) + "\n")
	}
	return b.String()
}

func rewrite(t *testing.T, file string, ar *txtar.Archive, items, results string) {
	var kept []txtar.File
	for _, f := range ar.Files {
		if f.Name != "out.yaml" && f.Name != "results.txt" {
			kept = append(kept, f)
		}
	}
	for _, f := range []txtar.File{{Name: "out.yaml", Data: []byte(items)}, {Name: "results.txt", Data: []byte(results)}} {
		if len(f.Data) > 0 {
			kept = append(kept, f)
		}
	}
	ar.Files = kept
	if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil { // #nosec G306 -- a test file
		t.Fatal(err)
	}
}
