package previous

import (
	"cmp"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Work is a work that an earlier run left in the package. Copies of a work, which a merge may
// leave, are one Work with the objects of all.
type Work struct {
	Object     *krm.Object
	Held       []Object
	Unreadable bool // a manifest is no object
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
		return cmp.Or(cmp.Compare(a.Namespace(), b.Namespace()), cmp.Compare(a.Name(), b.Name()),
			cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index()))
	})
	for _, o := range works {
		held, whole := Objects(o)
		if last := len(out) - 1; last >= 0 && out[last].Object.ID() == o.ID() {
			out[last].add(held)
			out[last].Unreadable = out[last].Unreadable || !whole
			continue
		}
		out = append(out, &Work{Object: o, Held: held, Unreadable: !whole})
	}
	return out
}

func (w *Work) add(held []Object) {
	for _, h := range held {
		if !slices.ContainsFunc(w.Held, func(other Object) bool { return other.ID == h.ID }) {
			w.Held = append(w.Held, h)
		}
	}
}

// Key is the key of w.
func (w *Work) Key() Key { return Key{w.Object.Namespace(), w.Object.Name()} }

// Objects are the objects of a work; whole reports whether they are all of its manifests. If the count of its hand-over
// entries cannot be read, all of them are ordinary: that keeps more than it must.
func Objects(work *krm.Object) (held []Object, whole bool) {
	if text, unread := work.LazyText(); unread {
		if ids, ok := scanIDs(text); ok {
			return heldObjects(work, ids)
		}
	}
	var ids []krm.ID
	for _, m := range manifest.InWork(work) {
		ids = append(ids, krm.FromNode(m).ID())
	}
	return heldObjects(work, ids)
}

func heldObjects(work *krm.Object, ids []krm.ID) (out []Object, whole bool) {
	entries, err := strconv.Atoi(work.Annotation(fn.HandOver))
	if err != nil || entries < 0 || entries > len(ids) {
		entries = 0
	}
	for i, id := range ids {
		if id.Kind != "" && id.Name != "" { // else it is no object: a user has edited it
			out = append(out, Object{ID: id, Work: work, index: i, HandedOver: i >= len(ids)-entries})
		}
	}
	return out, len(out) > 0 && len(out) == len(ids)
}

// Manifest is the object in the earlier work.
func (o Object) Manifest() *yaml.Node { return manifest.InWork(o.Work)[o.index] }

// Assignments is, by cluster, the number of the earlier work of a Binding that holds an object. If two hold it, as after
// a merge, the lower number counts.
func Assignments(earlier []*Work, of naming.Origin) map[string]map[krm.ID]int {
	out := map[string]map[krm.ID]int{}
	for _, w := range earlier {
		number, ours := of.NumberOf(w.Object)
		if !ours {
			continue
		}
		cluster := w.Object.Namespace()
		if out[cluster] == nil {
			out[cluster] = map[krm.ID]int{}
		}
		for _, h := range w.Held {
			if n, twice := out[cluster][h.ID]; !h.HandedOver && (!twice || number < n) {
				out[cluster][h.ID] = number
			}
		}
	}
	return out
}
