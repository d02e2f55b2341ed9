package engine

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// refused are the functions that Helm has and that are no expressions of testdata/expressions.txt: those that give another
// result every time, and fail.
const refused = `fail now ago randInt randBytes randAlphaNum randAlpha randNumeric randAscii uuidv4 shuffle ` + unseeded

// TestEveryFunctionIsCompared wants each function in testdata/expressions.txt, which is compared with Helm.
func TestEveryFunctionIsCompared(t *testing.T) {
	text, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(refused)
	for name := range functionsByName() {
		if used := regexp.MustCompile(`\b` + name + `\b`).Match(text); used == slices.Contains(known, name) {
			t.Errorf("%s: among the expressions %v, among those refused %v", name, used, !used)
		}
	}
	if len(functionsByName()) < 230 {
		t.Errorf("there are only %d functions: %v", len(functionsByName()), slices.Sorted(maps.Keys(functionsByName())))
	}
}
