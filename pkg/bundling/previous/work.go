package previous

import (
	"cmp"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Work is a work that an earlier run left in the package. Copies of a work, which a merge may
// leave, are one Work with the objects of all.
type Work struct {
	Object     *krm.Object
	Unreadable bool // a manifest is no object

	holding *holding // of Object
	copies  []*Work
}

// Object is an object in an earlier work.
type Object struct {
	ID         krm.ID
	Work       *krm.Object
	HandedOver bool // Work holds it as a hand-over entry
	index      int  // among the manifests of Work
}

// Key names a work on the hub.
type Key struct{ Cluster, Name string }

// Read returns the works that this function wrote before, by cluster and name.
func Read(items []*krm.Object) (out []*Work) {
	works := naming.OwnWorks(items)
	slices.SortStableFunc(works, func(a, b *krm.Object) int {
		return cmp.Or(compareKeys(a, b), cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index()))
	})
	for i, h := range readAll(works) {
		w := &Work{Object: works[i], Unreadable: !h.whole(), holding: h}
		if last := len(out) - 1; last >= 0 && compareKeys(out[last].Object, w.Object) == 0 {
			out[last].copies = append(out[last].copies, w)
			out[last].Unreadable = out[last].Unreadable || w.Unreadable
			continue
		}
		out = append(out, w)
	}
	return out
}

func compareKeys(a, b *krm.Object) int {
	return cmp.Or(cmp.Compare(a.Namespace(), b.Namespace()), cmp.Compare(a.Name(), b.Name()))
}

// Key is the key of w.
func (w *Work) Key() Key { return Key{w.Object.Namespace(), w.Object.Name()} }

// Held are the objects that w holds.
func (w *Work) Held() []Object {
	held := w.holding.objects(w.Object)
	for _, c := range w.copies {
		for _, h := range c.Held() {
			if !slices.ContainsFunc(held, func(other Object) bool { return other.ID == h.ID }) {
				held = append(held, h)
			}
		}
	}
	return held
}

// Holds reports whether w holds exactly the objects of those identities, in their order.
func (w *Work) Holds(ids []krm.ID) bool {
	return len(w.copies) == 0 && !w.Unreadable && slices.Equal(w.holding.ids, ids)
}

// Objects are the objects of a work; whole reports whether they are all of its manifests.
func Objects(work *krm.Object) (held []Object, whole bool) {
	h := (&reader{holdings: newHoldings(), samples: map[string]*sample{}}).read(work)
	return h.objects(work), h.whole()
}

// Manifest is the object in the earlier work.
func (o Object) Manifest() *yaml.Node { return manifest.InWork(o.Work)[o.index] }
