// Package load reads the packages of a tree: their Kptfiles, and their resources in the order of a directory walk.
//
// Shape: a pkgtree.Tree in, a tree of Packages out. Files are parsed on all processors; the order and the first error do
// not depend on that.
// Cost: a parse of each resource file, which Parsed saves for files that were read before; generated works are read lazily.
// Errors: each begins with the file at fault.
// Source: kpt fn render: which files are resources, and in which order.
package load

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Package is one package of a tree.
type Package struct {
	Dir     string // from the root of the tree; "." for the root
	Name    string // for messages: root name and path
	Kptfile *kptfile.File
	Subs    []*Package // direct subpackages, in path order
	// Items are its own resources, the Kptfile included: in walk order as they were read. A render from the root downwards
	// replaces them by what its pipelines made of them.
	Items []*krm.Object
	// Configs are those of Items, by file, that configure a function of its pipeline, as they were read.
	Configs map[string][]*krm.Object
	// Current is what its pipeline last returned; nil before the pipeline begins, or when the render does not keep it.
	Current []*krm.Object

	empty      []string        // files, from the root of the tree, that hold no object and no comment
	identities map[string]bool // of all packages of the tree; nil when this is the only one
}

// All lists p and the packages below, breadth first.
func (p *Package) All() []*Package {
	found := []*Package{p}
	for i := 0; i < len(found); i++ {
		found = append(found, found[i].Subs...)
	}
	return found
}

// AllItems are the resources of p and of the packages below, depth first.
func (p *Package) AllItems() []*krm.Object {
	items := slices.Clone(p.Items)
	for _, s := range p.Subs {
		items = append(items, s.AllItems()...)
	}
	return items
}

// EmptyFiles are the files of p and of the packages below that hold no object and no comment. A comment says
// that the file is meant to hold no object.
func (p *Package) EmptyFiles() []string {
	files := slices.Clone(p.empty)
	for _, s := range p.Subs {
		files = append(files, s.EmptyFiles()...)
	}
	return files
}

// Functions are those of p's pipeline.
func (p *Package) Functions() []kptfilev1.Function {
	if p.Kptfile == nil || p.Kptfile.Spec.Pipeline == nil {
		return nil
	}
	return slices.Concat(p.Kptfile.Spec.Pipeline.Mutators, p.Kptfile.Spec.Pipeline.Validators)
}

// Identity is the value of the package-path annotation of p's resources.
func (p *Package) Identity() string {
	if p.Dir == "." {
		return "/"
	}
	return "/" + p.Dir
}

// Encloses reports whether p or a package below has that identity. It takes the same time however many packages there
// are, since it is called for each item that a function returns.
func (p *Package) Encloses(identity string) bool {
	own := p.Identity()
	return identity == own || p.identities[identity] && (own == "/" || strings.HasPrefix(identity, own+"/"))
}

// SetNames names p and the packages below for messages, where root is the name of the root package.
func (p *Package) SetNames(root string) {
	for _, q := range p.All() {
		q.Name = path.Join(root, q.Dir)
	}
}

// Packages reads the Kptfiles of the tree, and returns the root and every package by its directory.
func Packages(tree pkgtree.Tree) (*Package, map[string]*Package, error) {
	if tree.Blob(kptfile.Name) == nil {
		return nil, nil, fmt.Errorf("not a package: no %s at its root", kptfile.Name)
	}
	packages, identities := map[string]*Package{}, map[string]bool{}
	var dirs []string
	for _, file := range tree.Paths() {
		if path.Base(file) == kptfile.Name {
			p := &Package{Dir: path.Dir(file), identities: identities}
			packages[p.Dir], identities[p.Identity()] = p, true
			dirs = append(dirs, p.Dir)
		}
	}
	slices.Sort(dirs)
	root := packages["."]
	for _, dir := range dirs {
		if dir != "." {
			parent := packages[enclosing(packages, path.Dir(dir))]
			parent.Subs = append(parent.Subs, packages[dir])
		}
	}
	for _, dir := range dirs {
		if err := packages[dir].readKptfile(tree); err != nil {
			return nil, nil, err
		}
	}
	root.SetNames(root.Kptfile.Spec.Name)
	return root, packages, nil
}

// enclosing returns the directory of the nearest package that dir lies in or is.
func enclosing(packages map[string]*Package, dir string) string {
	for packages[dir] == nil {
		dir = path.Dir(dir)
	}
	return dir
}

func (p *Package) readKptfile(tree pkgtree.Tree) (err error) {
	file := path.Join(p.Dir, kptfile.Name)
	data, _ := tree.Get(file)
	if p.Kptfile, err = kptfile.Parse(file, data); err != nil {
		return err
	}
	if err := p.Kptfile.ValidatePipeline(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// IsResourceFile reports whether files of that name hold resources.
func IsResourceFile(file string) bool {
	base := path.Base(file)
	switch path.Ext(base) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return base == kptfile.Name
}

// walkOrder orders paths as a directory walk visits them: names compare per directory.
func walkOrder(a, b string) int {
	for {
		x, restA, deeperA := strings.Cut(a, "/")
		y, restB, deeperB := strings.Cut(b, "/")
		if x != y || !deeperA || !deeperB {
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(restA, restB))
		}
		a, b = restA, restB
	}
}
