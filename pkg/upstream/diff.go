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

// DiffType names the two sides of a comparison.
type DiffType string

// The comparisons, under kpt's names.
const (
	Local    DiffType = "local"    // upstream when the package was fetched, and ours
	Remote   DiffType = "remote"   // upstream when the package was fetched, and upstream now
	Combined DiffType = "combined" // upstream now, and ours
)

// DiffOptions say what to compare.
type DiffOptions struct {
	Type DiffType
	// Ref is the ref of upstream now; "" is upstream.git.ref.
	Ref string
	// Observe, when set, is called before each action.
	Observe func(Event)
}

// differ compares one package and those in it.
type differ struct {
	*workspace
	DiffOptions
	root    kptfilev1.Git
	changes []diff.Change
}

// Diff lists the differences between ours and its upstream, sorted. A subpackage with an upstream
// of its own is compared with that. The name and the upstream of a package do not count.
func Diff(ctx context.Context, src Source, ours pkgtree.Tree, o DiffOptions) ([]diff.Change, error) {
	d := &differ{workspace: newWorkspace(src, ours, o.Observe), DiffOptions: o}
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

var (
	errNoUpstream   = errors.New("package must have an upstream reference: its Kptfile has no upstream.git")
	errNeverFetched = errors.New("the package was never fetched: its Kptfile has no upstreamLock.git; run 'pkg update' first")
)

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
	var separate []subpackage // compared with their own upstream
	for _, sub := range d.subpackages(dir) {
		k, err := d.kptfile(sub)
		if err != nil {
			return err
		}
		if hasGit(k) && k.Spec.UpstreamLock != nil {
			separate = append(separate, subpackage{sub, k})
			d.recordAdded(dir, sub, from)
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
	for _, sub := range separate {
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

// recordAdded records a subpackage that upstream does not have.
func (d *differ) recordAdded(dir, sub string, from pkgtree.Tree) {
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
		err = fmt.Errorf("unknown type of comparison %q: want %s, %s or %s", d.Type, Local, Remote, Combined)
	}
	return from, to, err
}

// then is upstream when the package was fetched.
func (d *differ) then(ctx context.Context, dir string, k *kptfile.File) (pkgtree.Tree, error) {
	lock, err := checkedLock(dir, k)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	d.emit(Event{Package: dir, Action: FetchingOrigin, From: placeOf(lock)})
	f, err := d.src.FetchLocked(ctx, lock)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return named(f.Tree, k.Spec.Name)
}

// checkedLock is the lock of the package in dir, which must have a valid one.
func checkedLock(dir string, k *kptfile.File) (kptfilev1.GitLock, error) {
	lock, ok := lockOf(k)
	if !ok {
		return lock, errNeverFetched
	}
	return lock, checkLock(dir, lock)
}

// now is upstream now.
func (d *differ) now(ctx context.Context, dir string, k *kptfile.File) (pkgtree.Tree, error) {
	from := *k.Spec.Upstream.Git
	if d.Ref != "" && (dir == "." || follows(d.root, from)) {
		from.Ref = d.Ref
	}
	d.emit(Event{Package: dir, Action: Fetching, From: from})
	f, err := d.src.Fetch(ctx, from)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return named(f.Tree, k.Spec.Name)
}

// named is tree with the package name that Get would give it. A Kptfile that is not valid stays as it is.
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

// without is tree without the folder dir.
func without(tree pkgtree.Tree, dir string) pkgtree.Tree {
	rest, err := graft(tree, dir, pkgtree.Tree{})
	if err != nil { // removing files cannot make a tree invalid
		return tree
	}
	return rest
}

// rel is sub relative to dir.
func rel(dir, sub string) string {
	if dir == "." {
		return sub
	}
	return strings.TrimPrefix(sub, dir+"/")
}
