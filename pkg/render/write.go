package render

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// writeBack returns tree with the rendered items in their files, as changed has it; a file that was
// read and holds none any more is gone.
func writeBack(tree pkgtree.Tree, before origins, items []*krm.Object, limits krm.Limits) (pkgtree.Tree, error) {
	after := byFile(items)
	if len(before[kptfileName]) > 0 && len(after[kptfileName]) == 0 {
		return pkgtree.Tree{}, errors.New("the root Kptfile is gone after rendering, which would delete the package; refused")
	}
	changes, err := changed(tree, before, after, limits)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	for file := range before {
		if len(after[file]) == 0 {
			changes[file] = nil
		}
	}
	return tree.Apply(changes)
}

// origins say which objects stood in each file, in file order, without keeping them in memory.
type origins map[string][]krm.Origin

// originsOf notes where items, just read, stand.
func originsOf(items []*krm.Object) origins {
	found := origins{}
	for _, o := range items {
		file := FileOf(o)
		found[file] = append(found[file], o.Origin())
	}
	return found
}

// setOf are the objects that were read from file.
func (f origins) setOf(file string) map[krm.Origin]bool {
	read := make(map[krm.Origin]bool, len(f[file]))
	for _, o := range f[file] {
		read[o] = true
	}
	return read
}

// untouched reports whether objs are the very objects that were read from file.
func (f origins) untouched(file string, objs []*krm.Object) bool {
	return slices.EqualFunc(f[file], objs, func(read krm.Origin, o *krm.Object) bool { return !o.Copied() && o.Origin() == read })
}

// changed gives the files of after their bytes. A file that holds just the objects that were read
// from it keeps its own, and so does each such object in another file; a file that was never read
// is left alone, whatever wants to be in its place. What could not be read again is an error.
func changed(tree pkgtree.Tree, before origins, after map[string][]*krm.Object, limits krm.Limits) (map[string][]byte, error) {
	changes := map[string][]byte{}
	limits.Budget = limits.Budget.Anew() // another one than for what was read
	for _, file := range slices.Sorted(maps.Keys(after)) {
		objs := inFileOrder(after[file])
		if before.untouched(file, objs) {
			continue
		}
		data, err := before.encode(tree, file, objs)
		if err == nil {
			err = before.mayWrite(tree, file, objs, data)
		}
		if err == nil {
			err = krm.Fits(data, objs, limits)
		}
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", file, err)
		}
		changes[file] = data
	}
	return changes, nil
}

func byFile(items []*krm.Object) map[string][]*krm.Object {
	files := map[string][]*krm.Object{}
	for _, o := range items {
		file := FileOf(o)
		files[file] = append(files[file], o)
	}
	return files
}

// everything is what was read of p and below.
func (p *pkg) everything() []*krm.Object {
	items := slices.Clone(p.items)
	for _, s := range p.subs {
		items = append(items, s.everything()...)
	}
	return items
}

// FileOf is where o is written, from the root of the tree: where its path annotation says, or in a
// file named after it. An absolute path annotation counts from the package, too.
func FileOf(o *krm.Object) string {
	owner := path.Clean("/" + o.Annotation(krm.PackagePathAnnotation))
	return path.Join(owner, cmp.Or(o.Annotation(krm.PathAnnotation), defaultPath(o, "")))[1:]
}

// inFileOrder sorts by index; those without one come last, in list order.
func inFileOrder(objs []*krm.Object) []*krm.Object {
	rank := func(o *krm.Object) int {
		text := cmp.Or(o.Annotation(krm.IndexAnnotation), o.Annotation(krm.LegacyIndexAnnotation))
		if n, err := strconv.Atoi(text); err == nil { // a function may number from below 0 to be first
			return n
		}
		if o.HasAnnotation(krm.IndexAnnotation) || o.HasAnnotation(krm.LegacyIndexAnnotation) {
			return o.Index()
		}
		return int(^uint(0) >> 1)
	}
	sorted := slices.Clone(objs)
	slices.SortStableFunc(sorted, func(a, b *krm.Object) int { return cmp.Compare(rank(a), rank(b)) })
	return sorted
}
