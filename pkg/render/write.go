package render

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// writeBack returns tree with the rendered items in their files, see changed. It removes a file that was
// read and holds no item any more.
func writeBack(tree pkgtree.Tree, before origins, items []*krm.Object, limits krm.Limits) (pkgtree.Tree, error) {
	after := byFile(items)
	if len(before[kptfile.Name]) > 0 && len(after[kptfile.Name]) == 0 {
		return pkgtree.Tree{}, errors.New("a function removed the root Kptfile, which would delete the package; refused")
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
	return tree.ApplyBlobs(changes)
}

// origins say which objects stood in each file, in file order, without keeping them in memory.
type origins map[string][]krm.Origin

// originsOf are those of items that were just read.
func originsOf(items []*krm.Object) origins {
	found := origins{}
	for _, o := range items {
		file := FileOf(o)
		found[file] = append(found[file], o.Origin())
	}
	return found
}

// unchanged reports whether objs are exactly the objects that were read from file.
func (f origins) unchanged(file string, objs []*krm.Object) bool {
	return slices.EqualFunc(f[file], objs, func(read krm.Origin, o *krm.Object) bool { return !o.Copied() && o.Origin() == read })
}

// changed returns the content of those files of after that changed. A file that holds exactly the objects that were read
// from it is not among them, and each unchanged object in another file keeps its text. It is an error to replace a file that was
// not read, or to write a file that could not be read again.
func changed(tree pkgtree.Tree, before origins, after map[string][]*krm.Object, limits krm.Limits) (map[string]*pkgtree.Blob, error) {
	var files []string
	for file, objs := range after {
		if after[file] = inFileOrder(objs); !before.unchanged(file, after[file]) {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	blobs, errs := make([]*pkgtree.Blob, len(files)), make([]error, len(files))
	write := func(i int) { blobs[i], errs[i] = before.write(tree, files[i], after[files[i]], limits) }
	limits.Budget = limits.Budget.Unused() // what was read does not count
	if parallel.For(len(files), write); limits.Budget.Over() {
		limits.Budget = limits.Budget.Unused() // in turn: the error names the first file for which there was no room
		for i := range files {
			write(i)
		}
	}
	changes := make(map[string]*pkgtree.Blob, len(files))
	for i, file := range files {
		if errs[i] != nil {
			return nil, fmt.Errorf("write %s: %w", file, errs[i])
		}
		changes[file] = blobs[i]
	}
	return changes, nil
}

// write makes the content of a file that holds objs.
func (f origins) write(tree pkgtree.Tree, file string, objs []*krm.Object, limits krm.Limits) (*pkgtree.Blob, error) {
	return pkgtree.MakeBlob(func(buf []byte) ([]byte, error) {
		data, err := f.encode(buf, tree, file, objs)
		if err == nil {
			err = f.checkOverwrite(tree, file, objs, data)
		}
		if err == nil {
			err = krm.Fits(data, objs, limits)
		}
		return data, err
	})
}

func byFile(items []*krm.Object) map[string][]*krm.Object {
	files := map[string][]*krm.Object{}
	for _, o := range items {
		file := FileOf(o)
		files[file] = append(files[file], o)
	}
	return files
}

// FileOf is the file that o is written to, from the root of the tree: the one in its path annotation, or a
// file named after it. An absolute path counts from the package, too.
func FileOf(o *krm.Object) string {
	owner := path.Clean("/" + o.Annotation(krm.PackagePathAnnotation))
	return path.Join(owner, cmp.Or(o.Annotation(krm.PathAnnotation), defaultPath(o, "")))[1:]
}

// inFileOrder sorts by index; objects without an index come last, in list order.
func inFileOrder(objs []*krm.Object) []*krm.Object {
	rank := func(o *krm.Object) int {
		text := cmp.Or(o.Annotation(krm.IndexAnnotation), o.Annotation(krm.LegacyIndexAnnotation))
		if n, err := strconv.Atoi(text); err == nil { // a negative index puts an object first
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
