package document

import (
	"bytes"
	"maps"
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// TypesOf says what is known of the type of an object: by Kubernetes, else by the definitions in theirs
// and ours, which are looked for when the first object asks for them.
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

// AddDefined adds what a file defines. One that cannot be read defines nothing; what is wrong with it
// is said when it is merged.
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
