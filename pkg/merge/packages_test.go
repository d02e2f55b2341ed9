package merge

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden is one case: a line saying why it exists, the three trees in base/, theirs/ and ours/, and what
// comes of them in merged/, with its conflicts in "conflicts", one a line. A Kptfile that is in none of the
// trees is in all of them. A file "options" holds a strategy and a preference; "error" is what Packages
// returns instead of a result; "kpt" says how kpt differs, and is a row of docs/pkg-differences.md.
type golden struct {
	file, reason       string
	base, theirs, ours pkgtree.Tree
	opts               Options
	archive            *txtar.Archive
}

func goldens(t testing.TB) []*golden {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.txtar")
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

const plainKptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\n"

func readGolden(t testing.TB, file string) *golden {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g := &golden{file: file, reason: strings.TrimSpace(string(a.Comment)), archive: a}
	for _, w := range strings.Fields(g.section("options")) {
		if prefer, ok := strings.CutPrefix(w, "prefer="); ok {
			g.opts.Prefer = Prefer(prefer)
		} else {
			g.opts.Strategy = Strategy(w)
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

// line is a conflict as a golden case has it.
func line(c Conflict) string {
	value := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	what := c.File
	if c.Object.Kind != "" {
		what += " " + c.Object.String()
	}
	if c.Field != "" {
		what += " " + c.Field
	}
	if c.Package != "." {
		what = c.Package + ": " + what
	}
	return fmt.Sprintf("%s | base %s | theirs %s | ours %s | chosen %s\n", what, value(c.Base), value(c.Theirs), value(c.Ours), value(c.Chosen))
}

// outcome is the part of a case that Packages makes.
func (g *golden) outcome() (out []txtar.File) {
	r, err := Packages(g.base, g.theirs, g.ours, g.opts)
	if err != nil {
		return []txtar.File{{Name: "error", Data: []byte(err.Error() + "\n")}}
	}
	for p, b := range r.Tree.All() {
		if string(b.Data()) != plainKptfile {
			out = append(out, txtar.File{Name: "merged/" + p, Data: b.Data()})
		}
	}
	var lines strings.Builder
	for _, c := range r.Conflicts {
		lines.WriteString(line(c))
	}
	if lines.Len() > 0 {
		out = append(out, txtar.File{Name: "conflicts", Data: []byte(lines.String())})
	}
	return out
}

func isOutcome(f txtar.File) bool {
	return f.Name == "error" || f.Name == "conflicts" || strings.HasPrefix(f.Name, "merged/")
}

func TestGolden(t *testing.T) {
	for _, g := range goldens(t) {
		t.Run(filepath.Base(filepath.Dir(g.file))+"/"+g.name(), func(t *testing.T) {
			want := slices.DeleteFunc(slices.Clone(g.archive.Files), func(f txtar.File) bool { return !isOutcome(f) })
			got := g.outcome()
			if *update {
				rest := slices.DeleteFunc(slices.Clone(g.archive.Files), isOutcome)
				a := &txtar.Archive{Comment: g.archive.Comment, Files: append(rest, got...)}
				if err := os.WriteFile(g.file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(txtar.Format(&txtar.Archive{Files: want})), string(txtar.Format(&txtar.Archive{Files: got}))); d != "" {
				t.Errorf("%s (-want +got):\n%s", g.reason, d)
			}
			checkPackageLaws(t, g.base, g.theirs, g.ours, g.opts.Strategy)
		})
	}
}

func TestConflictAsJSON(t *testing.T) {
	got, err := json.Marshal([]Conflict{{Package: ".", File: "a.txt", Base: word("1"), Ours: word("null")}})
	want := `[{"package":".","file":"a.txt","base":"1","ours":"null"}]`
	if err != nil || string(got) != want {
		t.Errorf("what is not there has no field, and null is a value: got %s (%v), want %s", got, err, want)
	}
}
