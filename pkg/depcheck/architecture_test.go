package depcheck

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitectureNamesFolders holds docs/architecture.md to the tree: the folders that it names exist, and each that holds a
// domain, a controller or a command is named.
func TestArchitectureNamesFolders(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\b(?:pkg|controllers|cmd|functions)/[a-z/]+[a-z]`).FindAllString(string(text), -1)
	if len(named) < 20 {
		t.Fatalf("only %d folders are named", len(named))
	}
	for _, folder := range named {
		if info, err := os.Stat(filepath.Join(root, folder)); err != nil || !info.IsDir() {
			t.Errorf("docs/architecture.md names %s, which is no folder", folder)
		}
	}
	for _, line := range Order[slices.IndexFunc(Order, func(l Line) bool { return l.Folders == "transform" }):] {
		for folder := range strings.FieldsSeq(line.Folders) {
			if !slices.ContainsFunc(named, func(f string) bool { return strings.HasPrefix(f+"/", "pkg/"+folder+"/") }) && !isHelperOfOthers[folder] {
				t.Errorf("docs/architecture.md does not say what pkg/%s is for", folder)
			}
		}
	}
}

// isHelperOfOthers are the folders of pkg that a newcomer meets through others: CONTRIBUTING.md has them all.
var isHelperOfOthers = map[string]bool{"template": true, "cel": true, "applyset": true, "apisync": true, "mutators": true, "image": true}
