package render

import (
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// nothing is a Factory whose every function gives back what it is given.
type nothing struct{}

func (nothing) Prepare(context.Context, *kptfilev1.Function) (runner.Runner, error) {
	return nothing{}, nil
}
func (nothing) Kind() string { return "nothing" }
func (nothing) Run(_ context.Context, in *fn.Input) (*runner.Output, error) {
	return &runner.Output{Output: fn.Output{Items: in.Items}}, nil
}

const minimal = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"

func TestBadIgnoreFiles(t *testing.T) {
	cases := map[string]struct{ reason, file, text, want string }{
		"root":     {"the library breaks down on it", ".krmignore", "# all\n/\n", `.krmignore: line 2: "/" names no file`},
		"not":      {"on this, too", ".krmignore", "! \r\n", `.krmignore: line 1: "!" names no file`},
		"not root": {"and the two together, in a subpackage", "sub/.krmignore", "a\n !/ \n", `sub/.krmignore: line 2: "!/" names no file`},
		"large":    {"every line is held against every file", ".krmignore", strings.Repeat("x", 1<<16), ".krmignore: is 65536 bytes, more than the 65535 allowed"},
		"largest":  {"rules at the end of a long file count", ".krmignore", strings.Repeat("x", mostIgnored-7) + "\nb.yaml", ""},
		"slashes":  {"odd, and means nothing", ".krmignore", "//\n\\\n[\n", "b.yaml: document 1, line 1: is not an object (a mapping of fields)"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tree, err := pkgtree.New(map[string][]byte{"Kptfile": []byte(minimal), "b.yaml": []byte("[]\n"), "sub/Kptfile": []byte(minimal), "sub/c.yaml": nil, c.file: []byte(c.text)})
			if err != nil {
				t.Fatal(err)
			}
			_, rendered := load(tree, krm.Limits{})
			evaluated := (&pkg{dir: "."}).readFolder(tree, krm.Limits{})
			for _, err := range []error{rendered, evaluated} {
				if d := cmp.Diff(c.want, message(err)); d != "" {
					t.Errorf("%s (-want +got):\n%s", c.reason, d)
				}
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzLoad reads a package out of an archive. Whatever is in it, there is an error that says which file
// is bad, or every resource file has its place, and functions that change nothing change no byte.
func FuzzLoad(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range cases {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		ar.Comment = nil
		f.Add(txtar.Format(ar))
	}
	for _, seed := range []string{
		"-- in/Kptfile --\n" + minimal + "-- in/.krmignore --\n/\n-- in/a.yaml --\na: 1\n",
		"-- in/sub/Kptfile --\n" + minimal, "-- in/Kptfile/Kptfile --\n" + minimal, "-- in/../Kptfile --\n" + minimal,
		"-- in/Kptfile --\n" + minimal + "pipeline: {mutators: [{image: a, configPath: b.yaml}]}\n-- in/b.yaml --\na: &a [*a]\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkLoad(t, data) })
}

func checkLoad(t *testing.T, archive []byte) {
	files := map[string][]byte{}
	for _, f := range txtar.Parse(archive).Files {
		if rest, ok := strings.CutPrefix(f.Name, "in/"); ok {
			files[rest] = f.Data
		}
	}
	tree, err := pkgtree.New(files)
	var bad *pkgtree.PathError
	if err != nil && (!errors.As(err, &bad) || !slices.Contains(slices.Collect(maps.Keys(files)), bad.Path)) {
		t.Fatalf("no file of the package is blamed: %v", err)
	}
	if err != nil {
		return
	}
	root, err := load(tree, krm.Limits{Nodes: 20_000, Aliased: 20_000})
	if err != nil {
		checkBlame(t, tree, err)
		return
	}
	checkPlaces(t, tree, root)
	checkQuiet(t, tree)
}

// checkBlame holds that err names a file of tree, first of all, in one line or in kpt's form of several.
func checkBlame(t *testing.T, tree pkgtree.Tree, err error) {
	t.Helper()
	text := err.Error()
	if tree.Blob(kptfileName) == nil && text == "not a package: no Kptfile at its root" {
		return
	}
	blamed := slices.ContainsFunc(tree.Paths(), func(p string) bool { return strings.HasPrefix(text, p+": ") })
	if !blamed || strings.Contains(text, "\n") && !strings.Contains(text, ": Kptfile is invalid:\nField: ") {
		t.Fatalf("no file is blamed in one line: %q", text)
	}
}

// checkPlaces holds that what was read is in the files of tree, each in the package that encloses it.
func checkPlaces(t *testing.T, tree pkgtree.Tree, root *pkg) {
	t.Helper()
	for _, o := range root.everything() {
		file := FileOf(o)
		owner := find(root, o.Annotation(krm.PackagePathAnnotation))
		if tree.Blob(file) == nil || !isResourceFile(file) || owner == nil {
			t.Fatalf("%q is no resource file of a package", file)
		}
		for dir := path.Dir(file); dir != owner.dir; dir = path.Dir(dir) {
			if dir == "." || tree.Blob(path.Join(dir, kptfileName)) != nil {
				t.Fatalf("%s belongs to %q, not to %q", file, dir, owner.dir)
			}
		}
	}
}

// checkQuiet holds that functions that change nothing leave every byte where it was.
func checkQuiet(t *testing.T, tree pkgtree.Tree) {
	t.Helper()
	res, err := Render(context.Background(), tree, Options{Functions: nothing{}, Limits: krm.Limits{Nodes: 20_000, Aliased: 20_000}})
	if err != nil && strings.TrimSpace(err.Error()) == "" {
		t.Fatal("an error without a word")
	}
	if err != nil {
		return
	}
	for _, p := range tree.Diff(res.Tree) {
		was, _ := tree.Get(p)
		is, _ := res.Tree.Get(p)
		t.Errorf("nothing was changed, but %s was (-before +after):\n%s", p, cmp.Diff(string(was), string(is)))
	}
}

// find is the package of that identity in p or below.
func find(p *pkg, identity string) *pkg {
	for _, q := range p.levels() {
		if q.identity() == identity && p.encloses(identity) {
			return q
		}
	}
	return nil
}
