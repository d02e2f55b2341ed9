package bundling

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

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
	works := ownWorks(items)
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

// ownWorks are the works among items that this function wrote.
func ownWorks(items []*krm.Object) (works []*krm.Object) {
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) == name && o.Is(workGroup, workKind) {
			works = append(works, o)
		}
	}
	return works
}

func (w *earlierWork) add(held []heldObject) {
	for _, h := range held {
		if !slices.ContainsFunc(w.held, func(other heldObject) bool { return other.id == h.id }) {
			w.held = append(w.held, h)
		}
	}
}

func (w *earlierWork) key() workKey { return workKey{w.object.Namespace(), w.object.Name()} }

// refuseUnreadable refuses works of an earlier run that do not say what they hold, as after an edit by hand: they are the memory of
// which work holds which object, and an object that is not in it would move or go without a hand-over.
func (b *bundler) refuseUnreadable(earlier []*earlierWork) {
	for _, e := range earlier {
		if e.unread {
			b.report(sdk.Error, e.object, field.NewPath("spec", "workload", "manifests"), "an earlier run wrote objects here, and not all "+
				"of them have an apiVersion, a kind and a name now: restore the work from Git, or delete its file to have all of it placed anew")
		}
	}
}

// heldBy lists the manifests of a work. Where the count of its hand-over entries cannot be read, all
// of them are ordinary: that keeps more than it must.
func heldBy(work *krm.Object) (held []heldObject, whole bool) {
	if text, unread := work.LaterText(); unread {
		if ids, ok := scanManifests(text); ok {
			return heldObjects(work, ids)
		}
	}
	var ids []krm.ID
	for _, m := range manifestsOf(work) {
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
func (h heldObject) manifest() *yaml.Node { return manifestsOf(h.work)[h.index] }

// isReference reports whether a hand-over entry is only the name of its object: such entries come last, and
// agents have a rule for each of the others.
func (h heldObject) isReference() bool {
	manifests := manifestsOf(h.work)
	entries, err := strconv.Atoi(h.work.Annotation(fn.HandOver))
	rules := len(listed(h.work.Lookup("spec", deleteOptionField, "selectivelyOrphans", "orphaningRules")))
	return h.handedOver && err == nil && h.index >= len(manifests)-entries+rules
}

func manifestsOf(work *krm.Object) []*yaml.Node {
	return listed(work.Lookup("spec", "workload", "manifests"))
}

// assignments says, by cluster, which of the earlier works of b holds an object. Where two do, as after
// a merge, the lower number counts.
func (b binding) assignments(earlier []*earlierWork) map[string]map[krm.ID]int {
	out := map[string]map[krm.ID]int{}
	for _, w := range earlier {
		number, ours := b.numberOf(w.object)
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

// numberOf is the number of a work that this function made of b.
func (b binding) numberOf(o *krm.Object) (int, bool) {
	labels := o.Labels()
	if labels[BindingLabel] != b.binding || labels[WDSLabel] != b.wds {
		return 0, false
	}
	digits, ours := strings.CutPrefix(o.Name(), b.shardName(""))
	if !ours {
		return 0, false
	}
	return shardNumber(digits)
}

// shardNumber reads the number at the end of a work's name.
func shardNumber(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	const longest = 9 // a work that is named after its object has 12 hex digits here
	return n, err == nil && strconv.Itoa(n) == digits && len(digits) <= longest && n >= 0
}
