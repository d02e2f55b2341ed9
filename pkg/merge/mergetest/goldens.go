package mergetest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Golden is one case: a line with its reason, the three trees in base/, theirs/ and ours/, and the result in
// merged/, with its conflicts in "conflicts", one per line. Without a Kptfile in any tree, PlainKptfile is in
// all of them. The file "options" has a strategy and a preference; "error" is the error of Packages instead of
// a result; "kpt" is the difference of kpt, a row of docs/pkg-differences.md.
type Golden struct {
	File, Reason       string
	Base, Theirs, Ours pkgtree.Tree
	Strategy, Prefer   string
	Archive            *txtar.Archive
}

// Goldens returns the cases in a folder.
func Goldens(t testing.TB, folder string) []*Golden {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*/*.txtar"))
	if err != nil || len(files) < 50 {
		t.Fatalf("only %d cases (%v)", len(files), err)
	}
	out := make([]*Golden, len(files))
	for i, file := range files {
		out[i] = readGolden(t, file)
	}
	return out
}

// Name returns the name of the case.
func (g *Golden) Name() string { return strings.TrimSuffix(filepath.Base(g.File), ".txtar") }

func readGolden(t testing.TB, file string) *Golden {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g := &Golden{File: file, Reason: strings.TrimSpace(string(a.Comment)), Archive: a}
	for _, w := range strings.Fields(g.Section("options")) {
		if prefer, ok := strings.CutPrefix(w, "prefer="); ok {
			g.Prefer = prefer
		} else {
			g.Strategy = w
		}
	}
	hasKptfile := slices.ContainsFunc(a.Files, func(f txtar.File) bool {
		return slices.Contains([]string{"base/Kptfile", "theirs/Kptfile", "ours/Kptfile"}, f.Name)
	})
	part := func(dir string) pkgtree.Tree {
		files := map[string]string{}
		if !hasKptfile {
			files["Kptfile"] = PlainKptfile
		}
		for _, f := range a.Files {
			if p, ok := strings.CutPrefix(f.Name, dir+"/"); ok {
				files[p] = string(f.Data)
			}
		}
		return Tree(t, files)
	}
	g.Base, g.Theirs, g.Ours = part("base"), part("theirs"), part("ours")
	return g
}

// Section returns a file of the archive.
func (g *Golden) Section(name string) string {
	for _, f := range g.Archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// VersionsOf returns the texts of a file in the three trees, "" where it is missing.
func (g *Golden) VersionsOf(p string) (base, theirs, ours string) {
	var out [3]string
	for i, tree := range []pkgtree.Tree{g.Base, g.Theirs, g.Ours} {
		if b := tree.Blob(p); b != nil {
			out[i] = string(b.Data())
		}
	}
	return out[0], out[1], out[2]
}
