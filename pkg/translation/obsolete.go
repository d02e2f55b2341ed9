package translation

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// hold is why a Translation stays that nobody wants any more.
type hold struct {
	by   *krm.Object // what stands on it
	root *krm.Object // what stays of itself, and stands on it through others
	id   string      // the resource on which by stands
}

// findObsolete finds the Translations that nobody wants any more, and those of them that stay nevertheless.
func (t *translator) findObsolete() {
	t.wanted = make(map[krm.ID]bool, len(t.items))
	for tr := range t.desired() {
		t.wanted[idOf(tr)] = true
	}
	t.obsolete = t.translations(func(o *krm.Object) bool { return !t.staysAsIs(o) && !t.wanted[t.ref(o).ID] })
	t.findHeld()
}

// desired are the Translations that inputs and options ask for.
func (t *translator) desired() iter.Seq[midonet.Translation] {
	return func(yield func(midonet.Translation) bool) {
		for _, w := range t.owners {
			for _, tr := range w.outcome.Translations {
				if !yield(tr) {
					return
				}
			}
		}
		if !t.Global {
			return
		}
		for _, tr := range t.converter.Global() {
			if !yield(tr) {
				return
			}
		}
	}
}

// translations are those that are as asked, by name.
func (t *translator) translations(is func(*krm.Object) bool) (out []*krm.Object) {
	for _, o := range t.items {
		if o.Is(api.Group, api.KindTranslation) && is(o) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b *krm.Object) int {
		x, y := t.ref(a), t.ref(b)
		if c := cmp.Or(cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Name, y.Name)); c != 0 {
			return c
		}
		return correspond.CompareCopies(a, b)
	})
	return out
}

// isFixed reports whether a Translation stays exactly as it is: not even something of its name is made.
func (t *translator) isFixed(o *krm.Object) bool { return t.staysAsIs(o) && !t.wanted[t.ref(o).ID] }

// findHeld finds the Translations that would go, and that one which stays as it is stands on: what is in a resource
// of a backend goes with it. What is held stays as it is, too, with what it stands on itself.
func (t *translator) findHeld() {
	if len(t.obsolete) == 0 {
		return
	}
	queue := t.translations(t.isFixed)
	if len(queue) == 0 {
		return
	}
	bases := t.bases()
	t.held = map[krm.ID]hold{}
	for len(queue) > 0 {
		by := queue[0]
		queue = queue[1:]
		for _, r := range resourcesOf(by) {
			for _, id := range midonet.Mentions(r) {
				base := bases[id]
				if base == nil {
					continue
				}
				if _, known := t.held[t.ref(base).ID]; !known {
					t.held[t.ref(base).ID] = hold{by, t.rootOf(by), id}
					queue = append(queue, base)
				}
			}
		}
	}
}

// bases are the Translations that leave, by the ids of those of their resources that are nowhere else. One that
// somebody deletes already goes whatever is done here.
func (t *translator) bases() map[string]*krm.Object {
	bases := map[string]*krm.Object{}
	for _, o := range t.obsolete {
		if o.String("metadata", "deletionTimestamp") != "" {
			continue
		}
		for _, r := range resourcesOf(o) {
			if id := midonet.OwnID(r); id != "" && bases[id] == nil {
				bases[id] = o
			}
		}
	}
	for id := range t.provided() {
		delete(bases, id)
	}
	return bases
}

// heldNotes are the notes about the Translations of a group that are held.
func (t *translator) heldNotes(held []*krm.Object) (notes []correspond.Note) {
	for _, o := range held {
		id := t.ref(o).ID
		h := t.held[id]
		by := t.ref(h.by)
		notes = append(notes, correspond.Note{Severity: sdk.Warning, Message: fmt.Sprintf(
			"Translation %s/%s stays until %s/%s, which stands on its resource %s, is gone", id.Namespace, id.Name, by.Namespace, by.Name, h.id)})
	}
	return notes
}

// heldOf are the Translations of a group that stay though nobody wants them.
func (t *translator) heldOf(g *correspond.Group) (out []*krm.Object) {
	for _, o := range g.Outputs {
		if _, stays := t.held[t.ref(o).ID]; stays {
			out = append(out, o)
		}
	}
	return out
}
