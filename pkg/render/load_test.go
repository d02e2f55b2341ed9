package render

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// nothing is a Factory of functions that return what they receive.
type nothing struct{}

func (nothing) Prepare(context.Context, *kptfilev1.Function) (runner.Runner, error) {
	return nothing{}, nil
}
func (nothing) Kind() string { return "nothing" }
func (nothing) Run(_ context.Context, in *fn.Input) (*runner.Output, error) {
	return &runner.Output{Output: fn.Output{Items: in.Items}}, nil
}

const minimal = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzLoad reads a package from an archive. Whatever is in it, either an error names the file at fault,
// or every resource file belongs to a package, and functions that change nothing change no byte.
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
		t.Fatalf("the error names no file of the package: %v", err)
	}
	if err != nil {
		return
	}
	limits := krm.Limits{Nodes: 20_000, Aliased: 20_000}
	root, packages, err := load.Packages(tree)
	if err == nil {
		err = load.Resources(tree, packages, load.Options{Limits: limits})
	}
	if err != nil {
		checkNamesFile(t, tree, err)
		return
	}
	checkPlaces(t, tree, root)
	checkNoChange(t, tree, limits)
}

// checkNamesFile checks that err begins with a file of tree, and has one line or kpt's form of several.
func checkNamesFile(t *testing.T, tree pkgtree.Tree, err error) {
	t.Helper()
	text := err.Error()
	if tree.Blob(kptfile.Name) == nil && text == "not a package: no Kptfile at its root" {
		return
	}
	named := slices.ContainsFunc(tree.Paths(), func(p string) bool { return strings.HasPrefix(text, p+": ") })
	if !named || strings.Contains(text, "\n") && !strings.Contains(text, ": Kptfile is invalid:\nField: ") {
		t.Fatalf("the error does not name a file in one line: %q", text)
	}
}

// checkPlaces checks that every object is in a file of tree and belongs to the package that encloses the file.
func checkPlaces(t *testing.T, tree pkgtree.Tree, root *load.Package) {
	t.Helper()
	for _, o := range root.AllItems() {
		file := FileOf(o)
		owner := find(root, o.Annotation(krm.PackagePathAnnotation))
		if tree.Blob(file) == nil || !load.IsResourceFile(file) || owner == nil {
			t.Fatalf("%q is no resource file of a package", file)
		}
		for dir := path.Dir(file); dir != owner.Dir; dir = path.Dir(dir) {
			if dir == "." || tree.Blob(path.Join(dir, kptfile.Name)) != nil {
				t.Fatalf("%s belongs to %q, not to %q", file, dir, owner.Dir)
			}
		}
	}
}

// checkNoChange checks that functions that change nothing leave every byte where it was.
func checkNoChange(t *testing.T, tree pkgtree.Tree, limits krm.Limits) {
	t.Helper()
	res, err := Render(context.Background(), tree, Options{Functions: nothing{}, Limits: limits})
	if err != nil && strings.TrimSpace(err.Error()) == "" {
		t.Fatal("the error is empty")
	}
	inPlace, inPlaceErr := Render(context.Background(), tree, Options{Functions: nothing{}, Limits: limits, InPlace: true})
	if fmt.Sprint(inPlaceErr) != fmt.Sprint(err) || !inPlace.Tree.Equal(res.Tree) {
		t.Fatalf("in place the error is %v, want %v", inPlaceErr, err)
	}
	if err != nil {
		return
	}
	for _, p := range tree.Diff(res.Tree) {
		was, _ := tree.Get(p)
		is, _ := res.Tree.Get(p)
		t.Errorf("functions changed nothing, but the render changed %s (-before +after):\n%s", p, cmp.Diff(string(was), string(is)))
	}
}

// find is the package of that identity in p or below.
func find(p *load.Package, identity string) *load.Package {
	for _, q := range p.All() {
		if q.Identity() == identity && p.Encloses(identity) {
			return q
		}
	}
	return nil
}
