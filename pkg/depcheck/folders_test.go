package depcheck

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// root is the module's folder, seen from this one.
const root = "../.."

// TestTheMapHolds asks the go command for the imports as they are and holds them against the map.
func TestTheMapHolds(t *testing.T) {
	witness(t)
	g, err := Load(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.own("pkg/depcheck")) != 1 {
		t.Fatal("go list does not see this very package: the checks below would check nothing")
	}
	cases := map[string]struct {
		reason string
		faults []string
	}{
		"denials": {"what a folder must not link, it must not link through others either", g.CheckDenials(Denials)},
		"homes":   {"a heavy library has one home", g.CheckHomes(Homes)},
		"order":   {"folders of pkg import only the lines above their own", g.CheckOrder(Order, Helpers)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, fault := range tc.faults {
				t.Errorf("%s\n(%s; if the map is wrong, change it and say why in docs/decisions)", fault, tc.reason)
			}
		})
	}
}

// witness looks at every file that decides the imports, because the go command remembers a test's
// result until a file changes that the test itself has looked at, and go list is another process.
func witness(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case filepath.Ext(path) == ".go" || d.Name() == "go.mod":
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestContributingShowsTheMap(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "<!-- folders -->\n```\n")
	shown, _, _ := strings.Cut(rest, "```\n")
	if diff := cmp.Diff(drawn(), shown); diff != "" {
		t.Errorf("CONTRIBUTING.md differs from pkg/depcheck/folders.go (-folders.go +CONTRIBUTING.md):\n%s", diff)
	}
}

func drawn() string {
	var b strings.Builder
	for _, line := range Order {
		b.WriteString(line.Folders + strings.Repeat(" ", max(1, 40-len(line.Folders))) + line.Holds + "\n")
	}
	return b.String()
}

// TestEveryFolderStandsOnce guards the tables themselves: a folder named twice would have two places.
func TestEveryFolderStandsOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range Order {
		for _, folder := range strings.Fields(line.Folders) {
			if seen[folder] {
				t.Errorf("folder %q stands twice in Order", folder)
			}
			seen[folder] = true
		}
	}
}
