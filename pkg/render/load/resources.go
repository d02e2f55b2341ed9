package load

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Options say how Resources reads.
type Options struct {
	Limits krm.Limits
	// Parsed, when set, keeps files that were parsed for later calls; it serves calls with default limits.
	Parsed *krm.Parsed
	// HeadsOnly: of each object only its type and metadata are kept, since nobody reads or writes the rest. Each file is parsed and
	// checked, and the values of all files together are not bounded.
	HeadsOnly bool
}

// Resources files every resource of the tree with its package, in the order of a directory walk.
func Resources(tree pkgtree.Tree, packages map[string]*Package, opts Options) error {
	ignore := ignoreRules{tree: tree}
	r := reader{tree: tree, limits: opts.Limits, parsed: opts.Parsed, headsOnly: opts.HeadsOnly}
	for _, file := range resourceFiles(tree) {
		p := packages[enclosing(packages, path.Dir(file))]
		if path.Base(file) == kptfile.Name || !ignore.hides(p.Dir, file) {
			r.files = append(r.files, resourceFile{p, file})
		}
	}
	if ignore.invalid != nil {
		return ignore.invalid
	}
	return r.read()
}

// resourceFiles are the files of the tree that hold resources, in the order of a directory walk.
func resourceFiles(tree pkgtree.Tree) []string {
	files := slices.DeleteFunc(tree.Paths(), func(file string) bool { return !IsResourceFile(file) })
	slices.SortFunc(files, walkOrder)
	return files
}

// resourceFile is a file of a package, named from the root of the tree.
type resourceFile struct {
	pkg  *Package
	name string
}

// own is the name of the file from its package on.
func (f resourceFile) own() string { return strings.TrimPrefix(f.name, f.pkg.Dir+"/") }

// reader reads files.
type reader struct {
	tree   pkgtree.Tree
	files  []resourceFile
	limits krm.Limits
	parsed *krm.Parsed

	headsOnly bool
}

// read parses the files on all processors, and files what they hold in the order of the list. The first error is that of the first file
// that has one.
func (r *reader) read() error {
	objs, errs := make([][]*krm.Object, len(r.files)), make([]error, len(r.files))
	if r.headsOnly {
		r.parsed = nil
	}
	if r.limits.Budget == nil { // the values of all files together are bounded in any case
		r.limits.Budget = krm.NewBudget()
	}
	order := r.largestFirst()
	parallel.For(len(order), func(n int) { i := order[n]; objs[i], errs[i] = r.parse(r.files[i]) })
	if err := r.checkValues(); err != nil {
		return err
	}
	for i, f := range r.files {
		if errs[i] != nil {
			return r.explain(f, errs[i])
		}
		f.pkg.add(f, r.tree.Blob(f.name), objs[i])
	}
	return r.checkAliased(objs)
}

// largestFirst are the indexes of the files in the order in which they are parsed: no processor begins a large one when the others are
// done.
func (r *reader) largestFirst() []int {
	var large, others []int
	for i, f := range r.files {
		if r.tree.Blob(f.name).Size() > largeFile {
			large = append(large, i)
		} else {
			others = append(others, i)
		}
	}
	return append(large, others...)
}

// largeFile is a size that takes much longer to parse than most files.
const largeFile = 128 << 10

// explain adds what to do if f, which cannot be read, is part of a Helm chart in the package: a template is no YAML.
func (r *reader) explain(f resourceFile, err error) error {
	for dir := path.Dir(f.name); dir != "." && dir != f.pkg.Dir; dir = path.Dir(dir) {
		if r.tree.Blob(path.Join(dir, "Chart.yaml")) != nil {
			return fmt.Errorf("%w; %s", err, HideChart(f.pkg.Dir, resourceFile{f.pkg, dir}.own()))
		}
	}
	return err
}

// HideChart says what to do about files of a Helm chart that are read as resources. dir is its folder in the package.
func HideChart(pkgDir, dir string) string {
	return fmt.Sprintf("it is part of a Helm chart, whose files are no resources: write %s/ to %s", dir, path.Join(pkgDir, IgnoreFile))
}

// add files what was read from f.
func (p *Package) add(f resourceFile, blob *pkgtree.Blob, objs []*krm.Object) {
	p.Items = append(p.Items, objs...)
	if len(objs) == 0 && !bytes.ContainsRune(blob.Data(), '#') {
		p.empty = append(p.empty, f.name)
	}
	file := f.own()
	for _, f := range p.Functions() {
		if f.ConfigPath != "" && path.Clean(f.ConfigPath) == file {
			if p.Configs == nil {
				p.Configs = map[string][]*krm.Object{}
			}
			p.Configs[file] = objs
		}
	}
}

func (r *reader) parse(f resourceFile) ([]*krm.Object, error) {
	own := *r
	if r.headsOnly {
		own.limits.Budget = r.limits.Budget.Unused()
	}
	objs, err := own.objects(f.name)
	for i, o := range objs {
		if r.headsOnly {
			o.KeepHead()
		}
		o.SetPath(f.own(), i)
		o.SetAnnotation(krm.PackagePathAnnotation, f.pkg.Identity())
		o.SetAnnotation(krm.SeqIndentAnnotation, o.SequenceStyle())
		if o.IsLazy() {
			o.Compact()
		}
	}
	return objs, err
}

func (r *reader) objects(file string) ([]*krm.Object, error) {
	blob, cached := r.tree.Blob(file), true
	read := func() ([]*krm.Object, error) { // lazily: functions usually generate again, to the byte, what they generated before
		cached = false
		return krm.ReadLazyText(file, blob, r.limits, "spec", fn.GeneratedBy)
	}
	if r.parsed == nil || r.limits != (krm.Limits{Budget: r.limits.Budget}) {
		return read()
	}
	objs, err := r.parsed.Read(file, blob.GitID(), blob.Size(), read)
	if cached && err == nil {
		if bad := r.limits.Budget.Take(krm.Values(objs)); bad != nil {
			err = fmt.Errorf("%s: %w", file, bad)
		}
	}
	return objs, err
}

// checkAliased bounds what the aliases of all files stand for, as krm bounds those of each file.
func (r *reader) checkAliased(objs [][]*krm.Object) error {
	size, aliased, most := 0, 0, 0
	for i, f := range r.files {
		n := krm.Aliased(objs[i])
		size, aliased = size+r.tree.Blob(f.name).Size(), aliased+n
		if n > krm.Aliased(objs[most]) {
			most = i
		}
	}
	if allowed := krm.AliasedIn(size) + aliasedAlways; aliased > allowed {
		return fmt.Errorf("%s: aliases in all files of the package together stand for %d bytes, more than the %d allowed; "+
			"replace aliases by the text that they stand for, in this file first", r.files[most].name, aliased, allowed)
	}
	return nil
}

// aliasedAlways is what the aliases of a package of many small files may stand for, whatever its size.
const aliasedAlways = 4 << 20
