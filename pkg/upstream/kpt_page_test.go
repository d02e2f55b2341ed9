package upstream_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKptPage holds docs/pkg-differences.md to the cases: what a case shows is a row there, what a row
// names is there and shows it, and no difference is normalised that has no row. Cases of other packages have a slash in their names.
func TestKptPage(t *testing.T) {
	rows := pageRows(t)
	for _, d := range differences {
		if _, ok := rows[d.row]; !ok {
			t.Errorf("%q is no row of the page", d.row)
		}
	}
	shown := map[string][]string{}
	for _, file := range kptCases(t) {
		for _, row := range readCase(t, file).lines("rows") {
			shown[row] = append(shown[row], strings.TrimSuffix(filepath.Base(file), ".txtar"))
		}
	}
	for row, cases := range rows {
		if len(cases) == 0 {
			delete(rows, row)
		}
	}
	if diff := cmp.Diff(shown, rows); diff != "" {
		t.Errorf("rows and the cases that show them (-cases +page):\n%s", diff)
	}
}

// pageRows are the rows of the page, each with the cases of this package that it names, sorted.
func pageRows(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/pkg-differences.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.SplitSeq(string(page), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if !strings.HasPrefix(line, "| ") || len(cells) < 5 {
			continue
		}
		row, _, _ := strings.Cut(strings.TrimSpace(cells[0]), ": ")
		cases := []string{}
		for _, m := range regexp.MustCompile("`([a-z][a-z-]*)`").FindAllStringSubmatch(cells[len(cells)-1], -1) {
			cases = append(cases, m[1])
		}
		rows[row] = slices.Sorted(slices.Values(cases))
	}
	return rows
}
