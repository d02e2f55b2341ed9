package upstream

import (
	"bytes"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// MarkCloned marks the generated objects in subpackages as part of the clone: a function that receives a subpackage alone does not see the
// Kptfile that names the upstream.
func MarkCloned(tree pkgtree.Tree) (pkgtree.Tree, error) {
	changes := map[string][]byte{}
	for p, b := range tree.All() {
		if tree.PackageOf(p) == "" {
			continue
		}
		objects, ok := generatedIn(p, b)
		if !ok {
			continue
		}
		for _, o := range objects {
			if fn.IsGenerated(o) {
				o.SetAnnotation(fn.GeneratedIn, fn.GeneratedUpstream)
			}
		}
		var err error
		if changes[p], err = krm.Write(objects); err != nil {
			return tree, err
		}
	}
	if len(changes) == 0 {
		return tree, nil
	}
	return tree.Apply(changes)
}

// KeepOrigin keeps the generated objects of a clone its own when its upstream changes: before and after are the
// package with the old and the new upstream in its Kptfile.
func KeepOrigin(before, after pkgtree.Tree) (pkgtree.Tree, error) {
	was, is := cloneID(before), cloneID(after)
	if was == is || was == "" || is == "" {
		return after, nil
	}
	changes := map[string][]byte{}
	for p, b := range after.All() {
		if isYAML(p) && bytes.Contains(b.Data(), []byte(was)) {
			changes[p] = bytes.ReplaceAll(b.Data(), []byte(was), []byte(is))
		}
	}
	return after.Apply(changes)
}

// cloneID is the clone id of the package's Kptfile; empty if it has no upstream.
func cloneID(tree pkgtree.Tree) string {
	data, ok := tree.Get(kptfile.Name)
	if !ok {
		return ""
	}
	objects, err := krm.Read(kptfile.Name, data, krm.Limits{})
	if err != nil {
		return ""
	}
	return fn.OriginsIn(objects).ID()
}
