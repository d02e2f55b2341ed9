package fleet

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fleet/risk"
)

// TestPage holds the table of docs/preview.md to the rules: all of them, in this order, in these words.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/preview.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "| level | rule | |\n|---|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	var want strings.Builder
	for _, r := range risk.Rules {
		fmt.Fprintf(&want, "| %s | `%s` | %s |\n", r.Level, r.Name, r.Says)
	}
	if diff := cmp.Diff(want.String(), table+"\n"); diff != "" {
		t.Errorf("docs/preview.md (-rules +page):\n%s", diff)
	}
}

// TestLevels wants rules sorted by level, each named once and said in a sentence.
func TestLevels(t *testing.T) {
	rank := map[risk.Level]int{risk.High: 0, risk.Medium: 1, risk.Low: 2}
	seen := map[string]bool{}
	for i, r := range risk.Rules {
		if i > 0 && rank[risk.Rules[i-1].Level] > rank[r.Level] {
			t.Errorf("%s is %s and comes behind what is not", r.Name, r.Level)
		}
		if seen[r.Name] || !strings.HasSuffix(r.Says, ".") || strings.ContainsAny(r.Says, "|<>`\n") {
			t.Errorf("rule %q twice, or said badly: %q", r.Name, r.Says)
		}
		seen[r.Name] = true
	}
}
