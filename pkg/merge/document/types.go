package document

import (
	"bytes"
	"maps"
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// TypesOf returns the type of an object: that of Kubernetes, else that of a definition in theirs or ours. It
// reads definitions when the first object needs one.
func TypesOf(theirs, ours pkgtree.Tree) func(*krm.Object) *schema.Type {
	defined := sync.OnceValue(func() map[schema.Kind]*schema.Type {
		out := map[schema.Kind]*schema.Type{}
		for _, tree := range []pkgtree.Tree{ours, theirs} {
			for p, b := range tree.All() {
				AddDefined(out, p, b)
			}
		}
		return out
	})
	return func(o *krm.Object) *schema.Type {
		if t := schema.Builtin(o.APIVersion(), o.Kind()); t != nil {
			return t
		}
		return defined()[schema.Kind{APIVersion: o.APIVersion(), Kind: o.Kind()}]
	}
}

var definition = []byte("CustomResourceDefinition")

// AddDefined adds the kinds that a file defines. A file that cannot be read defines none; the merge reports it.
func AddDefined(out map[schema.Kind]*schema.Type, file string, b *pkgtree.Blob) {
	if !IsResourceFile(file) || !bytes.Contains(b.Data(), definition) {
		return
	}
	objects, err := krm.Read(file, b.Data(), krm.Limits{})
	if err != nil {
		return
	}
	for _, o := range objects {
		maps.Copy(out, schema.Defined(o))
	}
}
