package applyset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// indexRequests records which groups request which object.
func (p *planner) indexRequests() {
	p.requestedBy = make(map[Ref][]*group)
	for _, g := range p.groups {
		for _, d := range g.desired {
			g.requested = append(g.requested, d.ref)
		}
		for _, it := range g.observed {
			if g.kept[it.ref] && !slices.Contains(g.requested, it.ref) {
				g.requested = append(g.requested, it.ref)
			}
		}
		for _, ref := range g.requested {
			p.requestedBy[ref] = append(p.requestedBy[ref], g)
		}
	}
}

// failConflicts fails groups that request the same object, or one that another group keeps.
func (p *planner) failConflicts() {
	for _, g := range p.groups {
		p.failConflict(g)
	}
	for _, g := range p.groups {
		if g.frozen {
			p.propagate(g)
		}
	}
}

// failConflict fails g if another group requests the same object. Both fail, in whichever order they are checked.
func (p *planner) failConflict(g *group) {
	for _, ref := range g.requested {
		for _, other := range p.requestedBy[ref] {
			if other != g {
				p.fail(g, g.Input, fmt.Errorf("%s is also an output of %s; neither gets it", p.displayName(g, ref), other.describe(g)))
				return
			}
		}
	}
}

// describe names g in a message about another group.
func (g *group) describe(to *group) string {
	s := "key " + g.Key
	if g.Owner != g.Key && g.Owner != to.Owner {
		s += " of owner " + g.Owner
	}
	if g.Edge != to.Edge {
		s += " of edge " + g.Edge
	}
	if g.Controller != to.Controller {
		s += " of controller " + g.Controller
	}
	return s
}

// propagate informs other groups that g keeps all its outputs: groups that request one of these fail, and groups that
// depend on g wait.
func (p *planner) propagate(g *group) {
	for _, it := range g.observed {
		for _, other := range p.requestedBy[it.ref] {
			if other != g && !other.frozen {
				p.fail(other, other.Input, fmt.Errorf("%s belongs to %s, which keeps it", it.ref, g.describe(other)))
			}
		}
	}
	if !g.failed {
		return
	}
	for _, w := range g.dependents {
		p.wait(w, g.Key)
	}
}

// checkOwnership says why a group may change an existing object, or returns an error why it may not.
func (p *planner) checkOwnership(g *group, it *item) (Reason, error) {
	tags := Tags{Controller: g.Controller, Owner: g.Owner, Edge: g.Edge, Input: g.Key}
	switch {
	case it.group == g:
		return ReasonChanged, nil
	case it.group != nil: // that group no longer requests it, or g would have failed before
		return ReasonMoved, nil
	case (it.tags.agrees(tags) || it.tags.ownedAs(tags)) && controlledByAnother(it.object, g.Owner):
		return "", fmt.Errorf("%s has another controller, by its owner reference", it.ref)
	case it.damaged && it.tags.ownedAs(tags):
		return ReasonChanged, nil // the owner is certain; the input is not known and is repaired
	case !it.tags.agrees(tags) || it.tags.complete():
		return "", fmt.Errorf("%s belongs to another owner: %s", it.ref, it.tags.whose())
	case p.isInput(g, it):
		return "", fmt.Errorf("%s is an input of the same owner; after adoption it would be no input any more, and the next run "+
			"would delete it; give the output another name", it.ref)
	case p.isOwner(it):
		return "", fmt.Errorf("%s owns outputs itself, and is never adopted", it.ref)
	case p.lostTags(g, it):
		return ReasonChanged, nil
	case g.edge.Adopt == Never && it.damaged:
		return "", fmt.Errorf("%s has only some of its tags; restore them, remove all, or %s", it.ref, g.edge.adoptBy())
	case g.edge.Adopt == Never:
		return "", fmt.Errorf("%s exists, and was not made from %s; rename one of the two, remove it, or %s", it.ref, g.Key, g.edge.adoptBy())
	}
	return ReasonAdopted, nil
}

// isInput reports whether an object is an input of the owner of g. As an output of that owner it would no longer count as
// an input, and its own outputs, possibly itself, would be deleted.
func (p *planner) isInput(g *group, it *item) bool {
	key := it.ref.String()
	return key != g.Owner && slices.ContainsFunc(p.edges, func(e *edgeState) bool { // an owner may be its own input
		return e.hasInput(g.Owner, key)
	})
}

// isOwner reports whether an object owns outputs in this run.
func (p *planner) isOwner(it *item) bool {
	key := it.ref.String()
	return slices.ContainsFunc(p.edges, func(e *edgeState) bool { return e.owners[key] != nil || e.hasInput(key, key) })
}

func (e *edgeState) hasInput(owner, key string) bool {
	g := e.groups[groupKey{owner, key}]
	return g != nil && g.hasInput
}

// lostTags reports whether an object that lacks tags is an output that lost them: it contains all that was last applied to
// the output of that name. Labels and annotations are not compared, as the object may have lost any of them.
func (p *planner) lostTags(g *group, it *item) bool {
	if g.edge.Merge != ThreeWay {
		return false
	}
	last, content := readState(p.storedState(g, it.ref)), false
	if last == nil {
		return false
	}
	secret := g.edge.isSecret(it.ref.ID)
	for i := 0; i+1 < len(last.Content); i += 2 {
		switch name := last.Content[i].Value; {
		case name == "apiVersion" || name == "kind" || name == "metadata":
		case !threeway.Contains(krm.Lookup(it.object.Node(), name), last.Content[i+1], secret):
			return false
		default:
			content = true
		}
	}
	return content
}

// adoptions are the values of AdoptedAnnotation.
var adoptions = map[Adoption]string{Preserve: "Preserve", Converge: "Converge"}

func (e *edgeState) adoptBy() string { return cmp.Or(e.AdoptBy, "allow adoption") }

// adoptedValue is the AdoptedAnnotation that an output gets; "" for an object that Run created.
func (p *planner) adoptedValue(g *group, it *item, why Reason) string {
	switch {
	case it == nil:
		return ""
	case why == ReasonAdopted && (!g.edge.DeleteAdopted || g.edge.Adopt == Preserve):
		return adoptions[g.edge.Adopt]
	}
	return p.adoptionOf(g, it)
}

// adoptionOf reads from the annotation how an output was adopted or, where the annotation is lost, from what was last
// applied; "" for an object that Run created.
func (p *planner) adoptionOf(g *group, it *item) string {
	if how := it.object.Annotation(AdoptedAnnotation); how != "" {
		return how
	}
	last := p.lastKnown(g, it)
	if !bytes.Contains(last, []byte(AdoptedAnnotation)) {
		return ""
	}
	n, err := krm.NodeOf(json.RawMessage(last))
	if err != nil {
		return ""
	}
	return threeway.ScalarText(krm.Lookup(n, "metadata", "annotations", AdoptedAnnotation))
}
