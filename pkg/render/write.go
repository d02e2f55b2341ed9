package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// writeBack returns tree with the rendered items in their files. A file that holds just the
// objects that were read from it keeps its bytes; a file that was read and holds none any more is
// gone; a file that was never read is left alone.
func writeBack(tree pkgtree.Tree, root *pkg, items []*krm.Object) (pkgtree.Tree, error) {
	before := map[string][]*krm.Object{}
	root.filesRead(before)
	after := map[string][]*krm.Object{}
	for _, o := range items {
		file := FileOf(o)
		after[file] = append(after[file], o)
	}
	if len(after[kptfileName]) == 0 {
		return pkgtree.Tree{}, errors.New("the root Kptfile is gone after rendering, which would delete the package; refused")
	}
	changes := map[string][]byte{}
	for _, file := range slices.Sorted(maps.Keys(after)) {
		objs := inFileOrder(after[file])
		if slices.Equal(objs, before[file]) {
			continue
		}
		data, err := encode(file, objs)
		if err != nil {
			return pkgtree.Tree{}, fmt.Errorf("write %s: %w", file, err)
		}
		changes[file] = data
	}
	for file := range before {
		if len(after[file]) == 0 {
			changes[file] = nil
		}
	}
	return tree.Apply(changes)
}

// filesRead lists the objects that were read, by file.
func (p *pkg) filesRead(into map[string][]*krm.Object) {
	for _, o := range p.items {
		into[FileOf(o)] = append(into[FileOf(o)], o)
	}
	for _, s := range p.subs {
		s.filesRead(into)
	}
}

// FileOf is where o is written, from the root of the tree. An absolute path annotation counts from
// the package, too.
func FileOf(o *krm.Object) string {
	owner := path.Clean("/" + o.Annotation(krm.PackagePathAnnotation))
	return path.Join(owner, o.Annotation(krm.PathAnnotation))[1:]
}

// inFileOrder sorts by index; those without one come last, in list order.
func inFileOrder(objs []*krm.Object) []*krm.Object {
	rank := func(o *krm.Object) int {
		if o.HasAnnotation(krm.IndexAnnotation) || o.HasAnnotation(krm.LegacyIndexAnnotation) {
			return o.Index()
		}
		return int(^uint(0) >> 1)
	}
	sorted := slices.Clone(objs)
	slices.SortStableFunc(sorted, func(a, b *krm.Object) int { return cmp.Compare(rank(a), rank(b)) })
	return sorted
}

func encode(file string, objs []*krm.Object) ([]byte, error) {
	if path.Ext(file) != ".json" || len(objs) != 1 {
		return krm.Write(objs)
	}
	v, err := krm.Value(objs[0].WithoutOrchestration().Node())
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", "  ")
	err = enc.Encode(v)
	return buf.Bytes(), err
}
