package functions

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

const rulesFile = "kubestellar-rules.md"

// ruled are the functions whose cases stand in the tables of rulesFile.
var ruled = []string{"bind-resolve", "custom-transform", "bundle-manifestwork"}

// TestGolden runs the golden cases of every function. What a work of any case holds, in whatever order and how often the
// bundler runs, must be such as OCM takes.
func TestGolden(t *testing.T) {
	for _, f := range catalog.Functions {
		if f.Name == mapcontroller.Name { // its cases name a hook of their own
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			if f == bundling.Function {
				f = ocmcheck.Watch(t, f)
			}
			fntest.Run(t, f, f.Name+"/testdata/*.txtar")
		})
	}
}

// TestRulesHaveCases wants every case that the page of rules names to be there, and every golden
// case of those functions to be named.
func TestRulesHaveCases(t *testing.T) {
	golden, tests, named := goldenCases(t), goTests(t), map[string]bool{}
	for _, line := range strings.Split(read(t, rulesFile), "\n") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || cells[0] == "| rule" {
			continue
		}
		for _, name := range strings.Split(strings.TrimSuffix(cells[len(cells)-1], " |"), ", ") {
			named[name] = true
			if test, _, _ := strings.Cut(name, "/"); !golden[name] && !tests[test] {
				t.Errorf("%s names %q, which is neither a golden case nor a test:\n%s", rulesFile, name, line)
			}
		}
	}
	for name := range golden {
		if !named[name] {
			t.Errorf("%s does not say what the case %s is about", rulesFile, name)
		}
	}
}

// goldenCases are the names of the cases of those functions.
func goldenCases(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, function := range ruled {
		files, err := filepath.Glob(function + "/testdata/*.txtar")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no cases (%v)", function, err)
		}
		for _, file := range files {
			found[strings.TrimSuffix(filepath.Base(file), ".txtar")] = true
		}
	}
	return found
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)

// goTests are the names of all tests below pkg and functions.
func goTests(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, dir := range []string{"../pkg", "."} {
		err := filepath.WalkDir(dir, func(file string, _ os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(file, "_test.go") {
				for _, m := range testFunc.FindAllStringSubmatch(read(t, file), -1) {
					found[m[1]] = true
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
