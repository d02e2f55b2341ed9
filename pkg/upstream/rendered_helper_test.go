package upstream_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// archive makes a package of a txtar text.
func archive(t testing.TB, text string) pkgtree.Tree {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files[f.Name] = f.Data
	}
	return packageOf(t, files)
}

func packageOf(t testing.TB, files map[string][]byte) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// edit is one change of a package: in file, old becomes new. Without old the file is new, without both
// it is deleted.
type edit struct{ file, old, new string }

func edited(t testing.TB, tree pkgtree.Tree, edits ...edit) pkgtree.Tree {
	t.Helper()
	for _, e := range edits {
		data, _ := tree.Get(e.file)
		var text []byte
		switch {
		case e.old != "" && !strings.Contains(string(data), e.old):
			t.Fatalf("%s has no %q:\n%s", e.file, e.old, data)
		case e.old != "":
			text = []byte(strings.ReplaceAll(string(data), e.old, e.new))
		case e.new != "":
			text = []byte(e.new)
		}
		out, err := tree.Apply(map[string][]byte{e.file: text})
		if err != nil {
			t.Fatal(err)
		}
		tree = out
	}
	return tree
}

// functions renders with the functions that are linked into the binary.
func functions(t testing.TB) upstream.Render {
	t.Helper()
	linked, err := choose.Options{Runtime: "inproc"}.Factory()
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
		res, err := render.Render(ctx, tree, render.Options{Functions: linked})
		return res.Tree, err
	}
}

// got is a package after Get and a render.
func got(t testing.TB, tree pkgtree.Tree) pkgtree.Tree {
	t.Helper()
	return rendered(t, merge.AddMarks(tree))
}

func rendered(t testing.TB, tree pkgtree.Tree) pkgtree.Tree {
	t.Helper()
	out, err := functions(t)(context.Background(), tree)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// triple is a package in three states.
type triple struct{ base, theirs, ours pkgtree.Tree }

func (x triple) plain(t testing.TB, prefer merge.Prefer) *merge.Result {
	t.Helper()
	res, err := merge.Packages(x.base, x.theirs, x.ours, merge.Options{Prefer: prefer})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func (x triple) merged(t testing.TB, prefer merge.Prefer) *merge.Result {
	t.Helper()
	res, err := upstream.MergeRendered(context.Background(), x.base, x.theirs, x.ours, merge.Options{Prefer: prefer}, functions(t))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func texts(tree pkgtree.Tree) map[string]string {
	out := map[string]string{}
	for p, b := range tree.All() {
		out[p] = string(b.Data())
	}
	return out
}

func sameTrees(t testing.TB, reason string, want, have pkgtree.Tree) {
	t.Helper()
	if diff := cmp.Diff(texts(want), texts(have)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

// lines are conflicts, one a line: where, the values of base, theirs and ours, and what was chosen.
func lines(conflicts []merge.Conflict) (out []string) {
	show := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	for _, c := range conflicts {
		out = append(out, fmt.Sprintf("%s %s %s: %s, %s, %s: %s", c.File, c.Object.Kind, c.Field,
			show(c.Base), show(c.Theirs), show(c.Ours), show(c.Chosen)))
	}
	return out
}

// kptfileOf makes a Kptfile with these mutators, each "name key=value ...", or a path behind @.
func kptfileOf(mutators ...string) string {
	var b strings.Builder
	b.WriteString("-- Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n")
	for _, m := range mutators {
		words := strings.Fields(m)
		b.WriteString("  - image: ghcr.io/waybill-dev/" + words[0] + ":v0.1.0\n")
		if len(words) > 1 && words[1][0] != '@' {
			b.WriteString("    configMap:\n")
		}
		for _, w := range words[1:] {
			if path, ok := strings.CutPrefix(w, "@"); ok {
				b.WriteString("    configPath: " + path + "\n")
				continue
			}
			key, value, _ := strings.Cut(w, "=")
			b.WriteString("      " + key + ": " + value + "\n")
		}
	}
	return b.String()
}

// inFolder puts the files of a txtar text into a folder.
func inFolder(dir, text string) string {
	a := txtar.Parse([]byte(text))
	for i := range a.Files {
		a.Files[i].Name = dir + "/" + a.Files[i].Name
	}
	return string(txtar.Format(a))
}
