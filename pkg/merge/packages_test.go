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

	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// line is a conflict as a golden case has it.
func line(c object.Conflict) string {
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

func options(g *mergetest.Golden) Options {
	return Options{Strategy: Strategy(g.Strategy), Prefer: object.Prefer(g.Prefer)}
}

// outcome is the part of a case that Packages makes.
func outcome(g *mergetest.Golden) (out []txtar.File) {
	r, err := Packages(g.Base, g.Theirs, g.Ours, options(g))
	if err != nil {
		return []txtar.File{{Name: "error", Data: []byte(err.Error() + "\n")}}
	}
	for p, b := range r.Tree.All() {
		if string(b.Data()) != mergetest.PlainKptfile {
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
	for _, g := range mergetest.Goldens(t, "testdata") {
		t.Run(filepath.Base(filepath.Dir(g.File))+"/"+g.Name(), func(t *testing.T) {
			want := slices.DeleteFunc(slices.Clone(g.Archive.Files), func(f txtar.File) bool { return !isOutcome(f) })
			got := outcome(g)
			if *update {
				rest := slices.DeleteFunc(slices.Clone(g.Archive.Files), isOutcome)
				a := &txtar.Archive{Comment: g.Archive.Comment, Files: append(rest, got...)}
				if err := os.WriteFile(g.File, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(txtar.Format(&txtar.Archive{Files: want})), string(txtar.Format(&txtar.Archive{Files: got}))); d != "" {
				t.Errorf("%s (-want +got):\n%s", g.Reason, d)
			}
			checkPackageLaws(t, g.Base, g.Theirs, g.Ours, options(g).Strategy)
		})
	}
}

func TestConflictAsJSON(t *testing.T) {
	got, err := json.Marshal([]object.Conflict{{Package: ".", File: "a.txt", Base: object.ValueOf("1"), Ours: object.ValueOf("null")}})
	want := `[{"package":".","file":"a.txt","base":"1","ours":"null"}]`
	if err != nil || string(got) != want {
		t.Errorf("what is not there has no field, and null is a value: got %s (%v), want %s", got, err, want)
	}
}

// TestFastForwardGoesOn fast-forwards an untouched package whose Kptfile gets its first pipeline, and then again.
func TestFastForwardGoesOn(t *testing.T) {
	const plain = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: %s\n"
	const status = "status:\n  conditions:\n  - type: Rendered\n    status: \"True\"\n    reason: RenderSuccess\n"
	versions := []string{"", "pipeline:\n  validators:\n  - image: a:v1\n", "pipeline:\n  mutators:\n  - image: b:v1\n  validators:\n  - image: a:v2\n", ""}
	tree := func(name, rest string) pkgtree.Tree {
		return mergetest.Tree(t, map[string]string{"Kptfile": fmt.Sprintf(plain, name) + rest})
	}
	ours := tree("mine", status)
	for i, next := range versions[1:] {
		r, err := Packages(tree("up", versions[i]), tree("up", next), ours, Options{Strategy: FastForward})
		if err != nil || len(r.Conflicts) > 0 {
			t.Fatalf("update %d: %v, conflicts %v", i+1, err, r.Conflicts)
		}
		ours = r.Tree
		got, _ := ours.Get("Kptfile")
		if d := cmp.Diff(fmt.Sprintf(plain, "mine")+next+status, string(got)); d != "" {
			t.Errorf("update %d (-want +got):\n%s", i+1, d)
		}
	}
	edited := tree("mine", "pipeline:\n  mutators:\n  - image: own:v1\n")
	if r, err := Packages(tree("up", ""), tree("up", versions[1]), edited, Options{Strategy: FastForward}); err == nil {
		t.Errorf("a pipeline of ours was fast-forwarded: %v", r.Tree.Paths())
	}
}
