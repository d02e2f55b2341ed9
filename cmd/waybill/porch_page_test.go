package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestRealPorchPage holds the tables of scenarios and of allowed differences to the tests, and the versions to those that are built.
func TestRealPorchPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/porch.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	var named []string
	for _, m := range regexp.MustCompile("(?m)\\| `(Test[^`]+)` \\|$").FindAllStringSubmatch(page, -1) {
		named = append(named, m[1])
	}
	slices.Sort(named)
	if diff := cmp.Diff(porchTests(t), named); diff != "" {
		t.Errorf("tests with a real Porch (-in the code +on the page):\n%s", diff)
	}
	rows := []string{"| Porch | " + testenv.PorchPrograms.Version + ":", "| Kubernetes | " + testenv.APIServerPrograms.Version + ":"}
	for _, d := range porchDifferences {
		rows = append(rows, "| "+d.what+" |")
	}
	for _, row := range rows {
		if strings.Count(page, "\n"+row) != 1 {
			t.Errorf("there is no row %q", row)
		}
	}
	_, allowed, _ := strings.Cut(page, "## Allowed differences")
	allowed, _, _ = strings.Cut(allowed, "## Later releases")
	if got := strings.Count(allowed, "\n| "); got != 1+len(porchDifferences) { // and the heading
		t.Errorf("the page has %d rows of allowed differences, and the tests %d", got-1, len(porchDifferences))
	}
}

// porchTests are the tests that use a real Porch, and in place of those with a table their cases.
func porchTests(t *testing.T) []string {
	t.Helper()
	cases := map[string][]string{
		"TestPorchLayouts": slices.Collect(maps.Keys(porchLayouts)), "TestPorchDraftsTheSame": slices.Collect(maps.Keys(porchEqual)),
	}
	files, err := filepath.Glob("porch_*test.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file) // #nosec G304 -- our tests
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w*Porch\w*)\(t \*testing\.T\)`).FindAllStringSubmatch(string(text), -1) {
			switch name := m[1]; {
			case name == "TestRealPorchPage":
			case cases[name] == nil:
				names = append(names, name)
			default:
				for _, c := range cases[name] {
					names = append(names, name+"/"+c)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}
