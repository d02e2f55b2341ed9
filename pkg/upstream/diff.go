package upstream

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// DiffType is what is compared.
type DiffType string

// What can be compared, under kpt's names.
const (
	Local    DiffType = "local"    // what upstream had when the package was fetched, with ours
	Remote   DiffType = "remote"   // what upstream had then, with what it has now
	Combined DiffType = "combined" // what upstream has now, with ours
)

// DiffOptions say what to compare.
type DiffOptions struct {
	Type DiffType
	// Ref is what "now" means for upstream; "" is upstream.git.ref.
	Ref string
	// Observe, when set, is told of everything just before it is done.
	Observe func(Event)
}

// differ compares one package and those in it.
type differ struct {
	*work
	DiffOptions
	root    kptfilev1.Git
	changes []diff.Change
}

// Diff says what is different between ours and its upstream, and for each subpackage that has an upstream
// of its own between that and it, sorted. The name of a package, and where it comes from, are no differences.
func Diff(ctx context.Context, src Source, ours pkgtree.Tree, o DiffOptions) ([]diff.Change, error) {
	d := &differ{work: newWork(src, ours, o.Observe), DiffOptions: o}
	k, err := d.kptfile(".")
	if err != nil {
		return nil, err
	}
	if !hasGit(k) {
		return nil, errNoUpstream
	}
	d.root = *k.Spec.Upstream.Git
	if err := d.diff(ctx, ".", k, 0); err != nil {
		return nil, err
	}
	diff.Sort(d.changes)
	return d.changes, nil
}

var errNoUpstream = errors.New("package must have an upstream reference: its Kptfile has no upstream.git")

// diff compares the package in dir, and then those in it.
func (d *differ) diff(ctx context.Context, dir string, k *kptfile.File, nested int) error {
	from, to, err := d.sides(ctx, dir, k)
	if err != nil {
		return inPackage(dir, err)
	}
	type subpackage struct {
		dir string
		k   *kptfile.File
	}
	var apart []subpackage // compared with what they are of, not with what they are in
	for _, sub := range d.subpackages(dir) {
		k, err := d.kptfile(sub)
		if err != nil {
			return err
		}
		if hasGit(k) && k.Spec.UpstreamLock != nil {
			apart = append(apart, subpackage{sub, k})
			d.noteAdded(dir, sub, from)
			from, to = without(from, rel(dir, sub)), without(to, rel(dir, sub))
		}
	}
	changes, err := diff.Changes(from, to)
	if err != nil {
		return inPackage(dir, err)
	}
	for _, c := range changes {
		c.Package, c.File = path.Join(dir, c.Package), path.Join(dir, c.File)
		d.changes = append(d.changes, c)
	}
	for _, sub := range apart {
		err := d.count(sub.dir, nested)
		if err == nil {
			err = d.diff(ctx, sub.dir, sub.k, nested+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noteAdded notes a subpackage that upstream does not have at all.
func (d *differ) noteAdded(dir, sub string, from pkgtree.Tree) {
	if d.Type != Remote && from.Sub(rel(dir, sub)).Len() == 0 {
		d.changes = append(d.changes, diff.Change{Package: sub, File: sub, Kind: diff.Added})
	}
}

// sides are the two trees to compare.
func (d *differ) sides(ctx context.Context, dir string, k *kptfile.File) (from, to pkgtree.Tree, err error) {
	ours := d.tree.Sub(dir)
	switch d.Type {
	case Local:
		from, err = d.then(ctx, dir, k)
		to = ours
	case Remote:
		if from, err = d.then(ctx, dir, k); err == nil {
			to, err = d.now(ctx, dir, k)
		}
	case Combined:
		from, err = d.now(ctx, dir, k)
		to = ours
	default:
		err = fmt.Errorf("unknown type of difference %q: want %s, %s or %s", d.Type, Local, Remote, Combined)
	}
	return from, to, err
}

// then is what upstream had when the package was fetched.
func (d *differ) then(ctx context.Context, dir string, k *kptfile.File) (pkgtree.Tree, error) {
	lock, ok := lockOf(k)
	if !ok {
		return pkgtree.Tree{}, errors.New("the package was never fetched: its Kptfile has no upstreamLock.git; run 'pkg update' first")
	}
	if err := checkLock(dir, lock); err != nil {
		return pkgtree.Tree{}, err
	}
	d.tell(Event{Package: dir, Did: FetchingOrigin, From: placeOf(lock)})
	f, err := d.src.FetchLocked(ctx, lock)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return named(f.Tree, k.Spec.Name)
}

// now is what upstream has.
func (d *differ) now(ctx context.Context, dir string, k *kptfile.File) (pkgtree.Tree, error) {
	from := *k.Spec.Upstream.Git
	if d.Ref != "" && (dir == "." || follows(d.root, from)) {
		from.Ref = d.Ref
	}
	d.tell(Event{Package: dir, Did: Fetching, From: from})
	f, err := d.src.Fetch(ctx, from)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return named(f.Tree, k.Spec.Name)
}

// named is tree as getting it would name it. A Kptfile that cannot be read is left as it is.
func named(tree pkgtree.Tree, name string) (pkgtree.Tree, error) {
	tree, err := withKptfile(tree, name)
	if err != nil {
		return tree, err
	}
	data, _ := tree.Get(kptfile.Name)
	k, err := kptfile.Parse(kptfile.Name, data)
	if err != nil {
		return tree, nil
	}
	k.SetName(name)
	if data, err = k.Bytes(); err != nil {
		return tree, err
	}
	return tree.Apply(map[string][]byte{kptfile.Name: data})
}

// without is tree without what is in dir.
func without(tree pkgtree.Tree, dir string) pkgtree.Tree {
	rest, err := graft(tree, dir, pkgtree.Tree{})
	if err != nil { // taking files away cannot make a tree invalid
		return tree
	}
	return rest
}

// rel is dir/sub without dir.
func rel(dir, sub string) string {
	if dir == "." {
		return sub
	}
	return strings.TrimPrefix(sub, dir+"/")
}
