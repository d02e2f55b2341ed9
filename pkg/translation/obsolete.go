package translation

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// hold is why an obsolete Translation stays.
type hold struct {
	by   *krm.Object // the Translation that depends on it
	root *krm.Object // the Translation that stays for its own reason and depends on it through others
	id   string      // the resource on which by depends
}

// findObsolete finds the obsolete Translations, and those of them that stay nevertheless.
func (t *translator) findObsolete() {
	t.held = nil // of an earlier call
	t.desiredIDs = make(map[krm.ID]bool, len(t.items))
	for tr := range t.desired() {
		t.desiredIDs[idOf(tr)] = true
	}
	t.obsolete = t.translations(func(o *krm.Object) bool { return !t.staysAsIs(o) && !t.desiredIDs[t.ref(o).ID] })
	t.findHeld()
}

// desired are the Translations that inputs and options request.
func (t *translator) desired() iter.Seq[midonet.Translation] {
	return func(yield func(midonet.Translation) bool) {
		for _, w := range t.owners {
			if !w.isMade() {
				continue
			}
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

// translations are the Translations that fulfil a condition, by name.
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
		return applyset.CompareCopies(a, b)
	})
	return out
}

// isFixed reports whether a Translation stays exactly as it is: no desired Translation has its name.
func (t *translator) isFixed(o *krm.Object) bool { return t.staysAsIs(o) && !t.desiredIDs[t.ref(o).ID] }

// findHeld finds the obsolete Translations on which an unchanged Translation depends: deleting a backend resource deletes
// what is in it. A held Translation stays as it is, with its own dependencies.
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

// bases are the obsolete Translations, by the ids of those of their resources that no other Translation has. One that a
// client already deletes is not held.
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

// heldNotes are the notes about the held Translations of a group.
func (t *translator) heldNotes(held []*krm.Object) (notes []applyset.Note) {
	for _, o := range held {
		id := t.ref(o).ID
		h := t.held[id]
		by := t.ref(h.by)
		notes = append(notes, applyset.Note{Severity: sdk.Warning, Message: fmt.Sprintf(
			"Translation %s/%s stays until %s/%s is deleted, which depends on its resource %s", id.Namespace, id.Name, by.Namespace, by.Name, h.id)})
	}
	return notes
}

// heldOf are the held Translations of a group.
func (t *translator) heldOf(g *applyset.Group) (out []*krm.Object) {
	for _, o := range g.Outputs {
		if _, stays := t.held[t.ref(o).ID]; stays {
			out = append(out, o)
		}
	}
	return out
}
