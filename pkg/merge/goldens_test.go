package merge

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// golden is one case: a line saying why it exists, the three trees in base/, theirs/ and ours/, and what
// comes of them in merged/, with its conflicts in "conflicts", one a line. A Kptfile that is in none of the
// trees is in all of them. A file "options" holds a strategy and a preference; "error" is what Packages
// returns instead of a result; "kpt" says how kpt differs, and is a row of docs/pkg-differences.md.
type golden struct {
	file, reason       string
	base, theirs, ours pkgtree.Tree
	strategy, prefer   string
	archive            *txtar.Archive
}

// goldens are the cases in a folder.
func goldens(t testing.TB, folder string) []*golden {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*/*.txtar"))
	if err != nil || len(files) < 50 {
		t.Fatalf("only %d cases (%v)", len(files), err)
	}
	out := make([]*golden, len(files))
	for i, file := range files {
		out[i] = readGolden(t, file)
	}
	return out
}

func (g *golden) name() string { return strings.TrimSuffix(filepath.Base(g.file), ".txtar") }

func readGolden(t testing.TB, file string) *golden {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g := &golden{file: file, reason: strings.TrimSpace(string(a.Comment)), archive: a}
	for _, w := range strings.Fields(g.section("options")) {
		if prefer, ok := strings.CutPrefix(w, "prefer="); ok {
			g.prefer = prefer
		} else {
			g.strategy = w
		}
	}
	hasKptfile := slices.ContainsFunc(a.Files, func(f txtar.File) bool {
		return slices.Contains([]string{"base/Kptfile", "theirs/Kptfile", "ours/Kptfile"}, f.Name)
	})
	part := func(dir string) pkgtree.Tree {
		files := map[string]string{}
		if !hasKptfile {
			files["Kptfile"] = plainKptfile
		}
		for _, f := range a.Files {
			if p, ok := strings.CutPrefix(f.Name, dir+"/"); ok {
				files[p] = string(f.Data)
			}
		}
		return tree(t, files)
	}
	g.base, g.theirs, g.ours = part("base"), part("theirs"), part("ours")
	return g
}

func (g *golden) section(name string) string {
	for _, f := range g.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// versionsOf are the texts of a file in the three trees, "" where it is not.
func (g *golden) versionsOf(p string) (base, theirs, ours string) {
	var out [3]string
	for i, tree := range []pkgtree.Tree{g.base, g.theirs, g.ours} {
		if b := tree.Blob(p); b != nil {
			out[i] = string(b.Data())
		}
	}
	return out[0], out[1], out[2]
}
