package translation

import (
	"fmt"
	"net/netip"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// holder is a Translation that has a resource of the backend. A resource belongs to one Translation: two would overwrite
// each other, and deleting it for one would delete it for the other.
type holder struct {
	by    krm.ID
	owner *owner // nil for a Translation that stays as it is
	whose string // " of <owner>", or "" when it is not known
}

// findConflicts finds owners that would have a resource of another Translation, and Services that share an address: both
// owners get the error. It returns those that it found; others are left out.
func (t *translator) findConflicts() (found []*owner) {
	claims, addresses := t.heldResources(), map[netip.Addr]*owner{}
	var made []*owner
	for _, w := range t.owners {
		if w.isMade() {
			made = append(made, w)
		}
		if w.isMade() || w.isFaulty() {
			w.claimAddress(addresses, w.address())
		}
		if w.isFaulty() && w.object.Kind() == "Service" { // it keeps the one that it has
			for _, addr := range t.existingAddresses(w) {
				w.claimAddress(addresses, addr)
			}
		}
	}
	for _, w := range made {
		for _, tr := range w.outcome.Translations {
			mine := &holder{by: idOf(tr), owner: w, whose: " of " + w.key}
			for _, r := range tr.Resources {
				mine.register(r, midonet.Identity(r), claims)
			}
		}
	}
	found = slices.DeleteFunc(made, (*owner).isMade)
	return t.spread(found, claims)
}

func idOf(tr midonet.Translation) krm.ID {
	return krm.ID{Group: api.Group, Kind: api.KindTranslation, Namespace: tr.Namespace, Name: tr.Name}
}

func (h *holder) register(r api.Resource, id string, claims map[string]*holder) {
	other, taken := claims[id]
	switch {
	case !taken:
		claims[id] = h
	case other.by != h.by:
		h.report(r, other)
		other.report(r, h)
	}
}

func (h *holder) report(r api.Resource, other *holder) {
	if h.owner != nil {
		h.owner.conflict(fmt.Errorf("%s is also in Translation %s/%s%s; a backend resource belongs to one Translation",
			midonet.Describe(r), other.by.Namespace, other.by.Name, other.whose))
	}
}

// isMade reports whether o gets what it was converted to.
func (o *owner) isMade() bool { return o.outcome.Verdict == midonet.Made && o.conflictError == nil }

// isFaulty reports whether o keeps what it has because of a fault or a conflict.
func (o *owner) isFaulty() bool { return o.outcome.Verdict == midonet.Failed || o.conflictError != nil }

// conflict records why w cannot have its Translations. The first reason counts, and a fault of its own before any other.
func (o *owner) conflict(err error) {
	if o.isMade() {
		o.conflictError = err
	}
}

// address is the address of a Service; invalid for others, and if it has none.
func (o *owner) address() netip.Addr {
	if o.object.Kind() != "Service" {
		return netip.Addr{}
	}
	addr, _ := netip.ParseAddr(o.object.String("spec", "clusterIP")) // invalid after an error
	return addr.Unmap()
}

// claimAddress records an address of a Service, which an API server gives to only one.
func (o *owner) claimAddress(addresses map[netip.Addr]*owner, addr netip.Addr) {
	other := addresses[addr]
	if !addr.IsValid() || other == o {
		return
	}
	if other == nil {
		addresses[addr] = o
		return
	}
	at := field.NewPath("spec", "clusterIP")
	o.conflict(fault{field.Invalid(at, addr.String(), "it is also the address of "+other.key)})
	other.conflict(fault{field.Invalid(at, addr.String(), "it is also the address of "+o.key)})
}

// heldResources are the resources of Translations that stay as they are, whatever the inputs. Of several Translations with
// one resource the first by name counts.
func (t *translator) heldResources() map[string]*holder {
	claims := map[string]*holder{}
	for _, o := range t.items {
		if !o.Is(api.Group, api.KindTranslation) || !t.staysAsIs(o) {
			continue
		}
		c := &holder{by: t.ref(o).ID}
		if owner := applyset.TagsOf(o).Owner; owner != "" && !applyset.IsKept(o) { // a kept one may lose its tags in this run
			c.whose = " of " + owner
		}
		for _, r := range resourcesOf(o) {
			id := midonet.Identity(r)
			if first, taken := claims[id]; !taken || c.by.String() < first.by.String() {
				claims[id] = c
			}
		}
	}
	return claims
}

// obsoleteHolders are the obsolete Translations by their resources; none when a resource may move to another Translation.
func (t *translator) obsoleteHolders() map[string]*krm.Object {
	left := map[string]*krm.Object{}
	for _, o := range t.obsolete {
		if !t.UpdateLimits {
			break
		}
		for _, r := range resourcesOf(o) {
			if id := midonet.Identity(r); left[id] == nil {
				left[id] = o
			}
		}
	}
	return left
}

// staysAsIs reports whether a Translation does not change: another controller made it, it is to be kept, its owner is not
// there or has a fault or a conflict, or another Translation depends on it.
func (t *translator) staysAsIs(o *krm.Object) bool {
	tags := applyset.TagsOf(o)
	if tags.Controller != t.controller || applyset.IsKept(o) {
		return true
	}
	if _, held := t.held[t.ref(o).ID]; held {
		return true
	}
	w := t.byKey[tags.Owner]
	switch {
	case tags.Owner == globalKey:
		return false
	case w == nil:
		return extents[t.View] != applyset.Complete
	}
	return w.blocked || w.isFaulty() || w.outcome.Verdict == midonet.Retry
}
