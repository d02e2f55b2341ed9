package bundling

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

// earlierWork is a work that an earlier run left in the package. Copies of one work, as a merge may
// leave them, are one earlierWork with the objects of all.
type earlierWork struct {
	object *krm.Object
	held   []heldObject
	unread bool // it has a manifest that is no object
}

// heldObject is an object in an earlier work.
type heldObject struct {
	id         krm.ID
	work       *krm.Object
	index      int  // among the manifests of work
	handedOver bool // work holds it as a hand-over entry
}

// workKey names a work on the hub.
type workKey struct{ cluster, name string }

// readEarlier returns the works that this function wrote before, by cluster and name.
func readEarlier(items []*krm.Object) (out []*earlierWork) {
	works := naming.OwnWorks(items)
	slices.SortStableFunc(works, func(a, b *krm.Object) int {
		return cmp.Or(cmp.Compare(a.Namespace(), b.Namespace()), cmp.Compare(a.Name(), b.Name()),
			cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index()))
	})
	for _, o := range works {
		held, whole := heldBy(o)
		if last := len(out) - 1; last >= 0 && out[last].object.ID() == o.ID() {
			out[last].add(held)
			out[last].unread = out[last].unread || !whole
			continue
		}
		out = append(out, &earlierWork{object: o, held: held, unread: !whole})
	}
	return out
}

func (w *earlierWork) add(held []heldObject) {
	for _, h := range held {
		if !slices.ContainsFunc(w.held, func(other heldObject) bool { return other.id == h.id }) {
			w.held = append(w.held, h)
		}
	}
}

func (w *earlierWork) key() workKey { return workKey{w.object.Namespace(), w.object.Name()} }

// heldBy lists the manifests of a work. Where the count of its hand-over entries cannot be read, all
// of them are ordinary: that keeps more than it must.
func heldBy(work *krm.Object) (held []heldObject, whole bool) {
	if text, unread := work.LaterText(); unread {
		if ids, ok := manifest.ScanIDs(text); ok {
			return heldObjects(work, ids)
		}
	}
	var ids []krm.ID
	for _, m := range manifest.InWork(work) {
		ids = append(ids, krm.FromNode(m).ID())
	}
	return heldObjects(work, ids)
}

func heldObjects(work *krm.Object, ids []krm.ID) (out []heldObject, whole bool) {
	entries, err := strconv.Atoi(work.Annotation(fn.HandOver))
	if err != nil || entries < 0 || entries > len(ids) {
		entries = 0
	}
	for i, id := range ids {
		if id.Kind != "" && id.Name != "" { // else it is no object: edited by hand
			out = append(out, heldObject{id: id, work: work, index: i, handedOver: i >= len(ids)-entries})
		}
	}
	return out, len(out) > 0 && len(out) == len(ids)
}

// manifest is the object as the earlier work has it.
func (h heldObject) manifest() *yaml.Node { return manifest.InWork(h.work)[h.index] }

// isReference reports whether a hand-over entry is only the name of its object: such entries come last, and
// agents have a rule for each of the others.
func (h heldObject) isReference() bool {
	manifests := manifest.InWork(h.work)
	entries, err := strconv.Atoi(h.work.Annotation(fn.HandOver))
	rules := len(manifest.Items(h.work.Lookup("spec", manifest.DeleteOptionField, "selectivelyOrphans", "orphaningRules")))
	return h.handedOver && err == nil && h.index >= len(manifests)-entries+rules
}

// assignments says, by cluster, which of the earlier works of a Binding holds an object. Where two do, as after
// a merge, the lower number counts.
func assignments(earlier []*earlierWork, of naming.Origin) map[string]map[krm.ID]int {
	out := map[string]map[krm.ID]int{}
	for _, w := range earlier {
		number, ours := of.NumberOf(w.object)
		if !ours {
			continue
		}
		cluster := w.object.Namespace()
		if out[cluster] == nil {
			out[cluster] = map[krm.ID]int{}
		}
		for _, h := range w.held {
			if n, twice := out[cluster][h.id]; !h.handedOver && (!twice || number < n) {
				out[cluster][h.id] = number
			}
		}
	}
	return out
}
