package render

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// kptfileName is the file that makes a directory a package.
const kptfileName = "Kptfile"

// pkg is one package of the tree.
type pkg struct {
	dir     string // from the root of the tree; "." for the root
	name    string // for messages: root name and path
	kptfile *kptfile.File
	items   []*krm.Object            // its own resources as they were read, in walk order, the Kptfile included
	configs map[string][]*krm.Object // of them, by file, those that configure a function of its pipeline
	empty   []string                 // files, from the root of the tree, that hold no object and no comment
	subs    []*pkg                   // direct subpackages, in path order
	now     []*krm.Object            // what its pipeline sees, as it stands; nil before its turn
	own     []*krm.Object            // top down: its own resources, as they stand; else nil
	all     map[string]bool          // the identities of all packages of the tree; nil when p is the only one
}

func (p *pkg) count() int {
	n := 1
	for _, s := range p.subs {
		n += s.count()
	}
	return n
}

// identity is the value of the package-path annotation of p's resources.
func (p *pkg) identity() string {
	if p.dir == "." {
		return "/"
	}
	return "/" + p.dir
}

// encloses reports whether p or a package below has that identity. It looks at no other package: each item
// that a function returns is asked for its package.
func (p *pkg) encloses(identity string) bool {
	own := p.identity()
	return identity == own || p.all[identity] && (own == "/" || strings.HasPrefix(identity, own+"/"))
}

// loadPackages reads the Kptfiles of the tree, and returns the root and every package by its directory.
func loadPackages(tree pkgtree.Tree) (*pkg, map[string]*pkg, error) {
	if tree.Blob(kptfileName) == nil {
		return nil, nil, fmt.Errorf("not a package: no %s at its root", kptfileName)
	}
	packages, all := map[string]*pkg{}, map[string]bool{}
	var dirs []string
	for _, p := range tree.Paths() {
		if path.Base(p) == kptfileName {
			dir := path.Dir(p)
			packages[dir] = &pkg{dir: dir, all: all}
			all[packages[dir].identity()] = true
			dirs = append(dirs, dir)
		}
	}
	slices.SortFunc(dirs, cmp.Compare[string])
	root := packages["."]
	for _, dir := range dirs {
		if dir != "." {
			parent := packages[enclosing(packages, path.Dir(dir))]
			parent.subs = append(parent.subs, packages[dir])
		}
	}
	if err := readKptfiles(tree, packages, dirs); err != nil {
		return nil, nil, err
	}
	root.setNames(root.kptfile.Spec.Name)
	return root, packages, nil
}

// enclosing returns the directory of the nearest package that dir lies in or is.
func enclosing(packages map[string]*pkg, dir string) string {
	for packages[dir] == nil {
		dir = path.Dir(dir)
	}
	return dir
}

func (p *pkg) setNames(root string) {
	p.name = path.Join(root, p.dir)
	for _, s := range p.subs {
		s.setNames(root)
	}
}

func readKptfiles(tree pkgtree.Tree, packages map[string]*pkg, dirs []string) error {
	for _, dir := range dirs {
		file := path.Join(dir, kptfileName)
		data, _ := tree.Get(file)
		k, err := kptfile.Parse(file, data)
		if err != nil {
			return err
		}
		if err := k.ValidatePipeline(); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		packages[dir].kptfile = k
	}
	return nil
}

// readResources files every resource with its package, in the order of a directory walk.
func readResources(tree pkgtree.Tree, packages map[string]*pkg, opts Options) error {
	ignore := ignoreRules{tree: tree}
	paths := tree.Paths()
	slices.SortFunc(paths, walkOrder)
	var found []resourceFile
	for _, file := range paths {
		if !isResourceFile(file) {
			continue
		}
		p := packages[enclosing(packages, path.Dir(file))]
		if path.Base(file) == kptfileName || !ignore.hides(p.dir, file) {
			found = append(found, resourceFile{p, file})
		}
	}
	if ignore.bad != nil {
		return ignore.bad
	}
	return readFiles(tree, found, opts)
}

// resourceFile is a file of a package, named from the root of the tree.
type resourceFile struct {
	pkg  *pkg
	name string
}

// readFiles parses files on all processors, and files what they hold in the order of the list. So
// does the first error come from the first file that has one.
func readFiles(tree pkgtree.Tree, files []resourceFile, opts Options) error {
	objs, errs := make([][]*krm.Object, len(files)), make([]error, len(files))
	opts = opts.withBudget()
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				objs[i], errs[i] = files[i].parse(tree, opts)
			}
		})
	}
	all.Wait()
	if err := checkValues(tree, files, opts.Limits.Budget); err != nil {
		return err
	}
	for i, f := range files {
		if errs[i] != nil {
			return errs[i]
		}
		f.pkg.items = append(f.pkg.items, objs[i]...)
		f.pkg.noteConfig(f.own(), objs[i])
		f.pkg.noteEmpty(f, tree.Blob(f.name).Data(), objs[i])
	}
	return checkAliased(tree, files, objs)
}

// checkAliased bounds what the aliases of all files stand for, as each file bounds its own.
func checkAliased(tree pkgtree.Tree, files []resourceFile, objs [][]*krm.Object) error {
	size, aliased, most := 0, 0, 0
	for i, f := range files {
		n := krm.Aliased(objs[i])
		size, aliased = size+len(tree.Blob(f.name).Data()), aliased+n
		if n > krm.Aliased(objs[most]) {
			most = i
		}
	}
	if allowed := krm.AliasedIn(size) + aliasedAlways; aliased > allowed {
		return fmt.Errorf("%s: aliases in all files of the package together stand for %d bytes, more than the %d allowed; "+
			"write out what they stand for, in this file first of all",
			files[most].name, aliased, allowed)
	}
	return nil
}

// aliasedAlways is what the aliases of a package of many small files may stand for, whatever its size.
const aliasedAlways = 4 << 20

// own is the name of the file from its package on.
func (f resourceFile) own() string { return strings.TrimPrefix(f.name, f.pkg.dir+"/") }

func (f resourceFile) parse(tree pkgtree.Tree, opts Options) ([]*krm.Object, error) {
	objs, err := f.read(tree.Blob(f.name), opts)
	for i, o := range objs {
		o.SetPath(f.own(), i)
		o.SetAnnotation(krm.PackagePathAnnotation, f.pkg.identity())
		o.SetAnnotation(krm.SeqIndentAnnotation, o.SequenceStyle())
	}
	return objs, err
}

func (f resourceFile) read(blob *pkgtree.Blob, opts Options) ([]*krm.Object, error) {
	known := true
	read := func() ([]*krm.Object, error) { // what is generated is most often generated anew, and the same
		known = false
		return krm.ReadLater(f.name, blob.Data(), opts.Limits, "spec", fn.GeneratedBy)
	}
	if opts.Parsed == nil || opts.Limits != (krm.Limits{Budget: opts.Limits.Budget}) {
		return read()
	}
	objs, err := opts.Parsed.Read(f.name, blob.GitID(), blob.Data(), read)
	if known && err == nil {
		if bad := opts.Limits.Budget.Take(krm.Values(objs)); bad != nil {
			err = fmt.Errorf("%s: %w", f.name, bad)
		}
	}
	return objs, err
}

// noteConfig remembers what stands in a file that a configPath of the pipeline names.
func (p *pkg) noteConfig(file string, objs []*krm.Object) {
	for _, f := range p.functions() {
		if f.ConfigPath != "" && path.Clean(f.ConfigPath) == file {
			if p.configs == nil {
				p.configs = map[string][]*krm.Object{}
			}
			p.configs[file] = objs
		}
	}
}

// Reads reports whether Render and Eval look into files of that name, whatever folder they are in. The
// others may be left out of the Tree: they stay as they are.
func Reads(name string) bool { return name == ignoreFile || isResourceFile(name) }

// InputFiles has only what Render and Eval look into read, and refuses symbolic links in its place.
var InputFiles = pkgtree.Limits{Only: Reads, MayLink: mayLink}

func isResourceFile(file string) bool {
	base := path.Base(file)
	switch path.Ext(base) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return base == kptfileName
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
