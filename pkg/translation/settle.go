package translation

import (
	"context"
	"fmt"
	"net/netip"
	"slices"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// settle finds the objects that cannot have their new Translations because of other objects. The old ones of such an object stay, which
// may concern further objects, and so on. The error is that of ctx.
func (t *translator) settle(ctx context.Context) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.findObsolete()
		conflicts := t.findConflicts()
		more = t.findWaiting() || len(conflicts) > 0
	}
	t.checkMoves()
	return nil
}

// spread adds to owners with a conflict those that get one with the Translations of the former, now that these stay.
func (t *translator) spread(found []*owner, claims map[string]*holder) []*owner {
	for i := 0; i < len(found); i++ {
		w := found[i]
		for _, o := range t.existingOf(w) {
			old := &holder{by: t.ref(o).ID, whose: " of " + w.key}
			for _, r := range resourcesOf(o) {
				id := midonet.Identity(r)
				other := claims[id]
				claims[id] = old
				if other != nil && other.owner != nil && other.owner.isMade() {
					other.report(r, old)
					found = append(found, other.owner)
				}
			}
		}
	}
	return found
}

// existingOf are the existing Translations of an owner.
func (t *translator) existingOf(w *owner) []*krm.Object {
	if t.existing == nil {
		t.existing = map[string][]*krm.Object{}
		for _, o := range t.translations(func(o *krm.Object) bool { return applyset.TagsOf(o).Controller == t.controller }) {
			key := applyset.TagsOf(o).Owner
			t.existing[key] = append(t.existing[key], o)
		}
	}
	return t.existing[w.key]
}

// findWaiting makes objects wait that depend on a faulty object, or on one with a conflict, in a way that what it has does not satisfy.
func (t *translator) findWaiting() (found bool) {
	if !slices.ContainsFunc(t.owners, (*owner).isFaulty) {
		return false
	}
	for _, w := range t.owners {
		on := t.referredOwner(w)
		if on == nil || !on.isFaulty() || !w.isMade() {
			continue
		}
		if why := t.unmet(w, on); why != "" {
			w.outcome, found = midonet.Outcome{Verdict: midonet.Retry, Reason: why}, true
		}
	}
	return found
}

// unmet is why w cannot have its Translations before a faulty object to which it refers is corrected; "" when it can. A push would try in
// vain to create a resource in one that is missing, and the host of a Node, or the address of a Service, does not change before the
// Node or the Service does. The address of a Service in conflict may be that of another.
func (t *translator) unmet(w, on *owner) string {
	if on.object.Kind() == "Service" {
		if on.conflictError != nil {
			return on.key + " is in conflict with another object"
		}
		if was := t.existingAddresses(on); len(was) > 0 && !slices.Contains(was, on.address()) {
			return fmt.Sprintf("%s still has the address %s, and keeps it because of its own fault", on.key, was[0])
		}
	}
	if r := t.missingParent(w, on); r != nil {
		return fmt.Sprintf("%s would be in %s, which %s does not have yet, and cannot get because of its own fault",
			midonet.Describe(*r), r.Parent, on.key)
	}
	return ""
}

// referredOwner is the converted object to which another refers; nil when there is none.
func (t *translator) referredOwner(w *owner) *owner {
	r, refers := t.converter.Reference(w.object)
	if !refers {
		return nil
	}
	return t.byKey[applyset.Ref{ID: krm.ID{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}}.String()]
}

// existingAddresses are the addresses in the existing Translations of a Service.
func (t *translator) existingAddresses(w *owner) (all []netip.Addr) {
	for _, o := range t.existingOf(w) {
		for _, r := range resourcesOf(o) {
			if r.Kind != "Rule" {
				continue
			}
			if addr, err := netip.ParseAddr(midonet.DestinationAddress(r)); err == nil {
				all = append(all, addr)
			}
		}
	}
	return all
}

// missingParent is a resource of w whose parent neither w nor an existing Translation of the object to which it refers has.
func (t *translator) missingParent(w, on *owner) *api.Resource {
	has := map[string]bool{}
	add := func(id string) bool { has[id] = true; return true }
	for _, o := range t.existingOf(on) {
		for _, r := range resourcesOf(o) {
			if r.Kind == "HostInterfacePort" { // no Translation has a host
				has[r.Parent] = true
			}
		}
		yieldIDs(resourcesOf(o), add)
	}
	for _, tr := range w.outcome.Translations {
		yieldIDs(tr.Resources, add)
	}
	for _, tr := range w.outcome.Translations {
		for _, r := range tr.Resources {
			if r.Parent != "" && !has[r.Parent] {
				return &r
			}
		}
	}
	return nil
}

// checkMoves refuses changes by which a resource would move from an obsolete Translation to another.
func (t *translator) checkMoves() {
	left := t.obsoleteHolders()
	if len(left) == 0 {
		return
	}
	for _, w := range t.owners {
		if !w.isMade() {
			continue
		}
		for _, tr := range w.outcome.Translations {
			for _, r := range tr.Resources {
				if old := left[midonet.Identity(r)]; old != nil && w.moveError == nil {
					w.moveError = t.moves(r, old, &holder{by: idOf(tr)})
				}
			}
		}
	}
}
