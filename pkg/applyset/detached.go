package applyset

import (
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// mayProject reports whether the projection of a group is to run, and freezes the group otherwise.
func (p *planner) mayProject(g *group) bool {
	e := g.edge
	if o := e.owners[g.Owner]; o != nil && o.Hold {
		g.freeze(ReasonHeld)
		return false
	}
	if g.hasInput {
		return true
	}
	g.Detached = p.whyDetached(g)
	switch missing := p.missing(g); {
	case e.View != Complete:
		g.freeze(ReasonPartial)
		p.report(g, sdk.Info, ReasonPartial, nil, nil, "%s; its outputs stay: %s", whyPartial(g.Detached),
			selection.Count(len(g.observed), "output"))
		return false
	case missing != "" && !e.AllowEmpty:
		g.freeze(ReasonRefused)
		if e.isNewRefusal(missing) {
			p.reportEdge(e, sdk.Error, ReasonRefused, "", nil, "%s, but outputs made from it exist; they stay unless allowEmpty is set", missing)
		}
		return false
	case g.Detached == InputNotSelected && !e.AllowEmpty && e.selectsNone(g):
		g.freeze(ReasonRefused)
		p.refuseEmpty(g)
		return false
	}
	return true
}

// selectsNone reports whether the owner of a group, which is not its own input, no longer selects any input of that type: a
// misspelt selector has that effect.
func (e *edgeState) selectsNone(g *group) bool {
	_, id, err := ParseKey(g.Key)
	owner := e.owners[g.Owner]
	if err != nil || owner == nil || owner.MayBeEmpty {
		return false
	}
	if e.selected == nil {
		e.selected = map[ownedType]bool{}
		for k, other := range e.groups {
			if _, id, err := ParseKey(k.key); err == nil && other.hasInput {
				e.selected[ownedType{k.owner, groupKind(id)}] = true
			}
		}
	}
	return !e.selected[ownedType{g.Owner, groupKind(id)}]
}

// refuseEmpty reports, once for an owner and a type, that the outputs stay.
func (p *planner) refuseEmpty(g *group) {
	e := g.edge
	_, id, _ := ParseKey(g.Key)
	why := fmt.Sprintf("%s selects no %s any more", g.Owner, groupKind(id))
	if !e.isNewRefusal(why) {
		return
	}
	hint := ""
	if unmatched := e.owners[g.Owner].Unmatched; unmatched != nil {
		hint = unmatched(groupKind(id))
	}
	p.reportEdge(e, sdk.Error, ReasonRefused, g.Owner, g.OwnerObject, "%s, but outputs made from it exist; they stay%s; "+
		`correct the selector, or allow it by allowEmpty or by the annotation %s: "true" of the owner`, why, hint, selection.Annotation)
}

// whyDetached says why a group has no input.
func (p *planner) whyDetached(g *group) Reason {
	e := g.edge
	if e.Owners != nil && e.owners[g.Owner] == nil {
		if p.isThere(g.Owner) {
			return OwnerNotSelected
		}
		return OwnerMissing
	}
	if e.excluded[groupKey{g.Owner, g.Key}] {
		return InputExcluded
	}
	if p.isThere(g.Key) {
		return InputNotSelected
	}
	return InputMissing
}

// whyPartial says why a partial view keeps a detached group.
func whyPartial(why Reason) string {
	switch why {
	case InputNotSelected:
		return "its input is not selected any more, and this view is partial"
	case InputExcluded:
		return "its input is an output of its owner now, and this view is partial"
	}
	return "its input is not in this view, which is partial"
}

// isThere reports whether some item has that key.
func (p *planner) isThere(key string) bool {
	cluster, id, err := ParseKey(key)
	return err == nil && p.byRef[Ref{cluster, id}] != nil
}

// missing says which owner or input type has no object at all, which makes it doubtful that the input was deleted; "" when
// objects exist.
func (p *planner) missing(g *group) string {
	e := g.edge
	switch g.Detached {
	case OwnerMissing:
		return "owner " + g.Owner + " does not exist"
	case OwnerNotSelected:
		return "owner " + g.Owner + " is not selected"
	}
	_, id, err := ParseKey(g.Key)
	gk := groupKind(id)
	switch {
	case err != nil:
		return ""
	case e.InputTypes != nil && !slices.Contains(e.InputTypes, gk):
		return fmt.Sprintf("%s is not an input type any more", gk)
	case !p.hasType(e, gk):
		return fmt.Sprintf("there is no %s at all", gk)
	}
	return ""
}

// hasType reports whether objects of a type exist where the inputs of the edge are: inputs, or items that are not outputs of
// its controller. It reads all items when it is first called for an edge.
func (p *planner) hasType(e *edgeState, gk schema.GroupKind) bool {
	if e.types == nil {
		e.types = map[schema.GroupKind]bool{}
		places := map[string]bool{}
		for k, g := range e.groups {
			if place, id, err := ParseKey(k.key); err == nil {
				places[place] = true
				e.types[groupKind(id)] = e.types[groupKind(id)] || g.hasInput
			}
		}
		for _, it := range p.items {
			if it.tags.Controller != e.Controller && places[it.ref.Place] {
				e.types[groupKind(it.ref.ID)] = true
			}
		}
	}
	return e.types[gk]
}

// IsDeleting reports whether a client has requested that the object be deleted.
func IsDeleting(o *krm.Object) bool { return o.String("metadata", "deletionTimestamp") != "" }

// freeze keeps every output of a group as it is.
func (g *group) freeze(why Reason) {
	g.frozen, g.reason = true, why
	g.desired, g.kept, g.changes = nil, nil, nil
}
