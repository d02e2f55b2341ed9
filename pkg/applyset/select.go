package applyset

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// selectInputs creates the groups that have an input.
func (p *planner) selectInputs(e *edgeState) {
	for i := range e.Inputs {
		in := &e.Inputs[i]
		owner := in.Owner
		if owner == "" {
			owner = in.Key
		}
		if in.Object != nil && owner != in.Key && IsOutputOf(in.Object, owner, e.ownerObject(owner)) {
			e.excluded[groupKey{owner, in.Key}] = true
			continue
		}
		g := e.group(owner, in.Key)
		if !g.hasInput {
			g.hasInput, g.Input, g.marks = true, in.Object, in.Marks
			continue
		}
		second := in.Object
		if in.Object != nil && (g.Input == nil || CompareCopies(in.Object, g.Input) < 0) {
			second, g.Input = g.Input, in.Object
		}
		p.report(g, sdk.Warning, ReasonDuplicate, second, nil, "this input exists twice; this copy is ignored")
	}
}

// IsOutputOf reports whether an object is an output of an owner, by its annotation or its controller reference. Such an
// object is no input of that owner. The owner's object may be nil.
func IsOutputOf(o *krm.Object, key string, owner *krm.Object) bool {
	if o.Annotation(OwnerAnnotation) == key {
		return true
	}
	if owner == nil {
		return false
	}
	uid, ref := owner.String("metadata", "uid"), threeway.ControllerReference(o)
	return uid != "" && ref != nil && threeway.ScalarText(krm.Lookup(ref, "uid")) == uid
}

// ownerObject is the object of an owner; nil when it is not known.
func (e *edgeState) ownerObject(key string) *krm.Object {
	if o := e.owners[key]; o != nil {
		return o.Object
	}
	return nil
}

// attachOutputs finds the outputs of this run among the items, and creates the groups that have no input.
func (p *planner) attachOutputs() {
	type name struct{ controller, edge, place string }
	edges, controllers := map[name]*edgeState{}, map[string]bool{}
	for _, e := range p.edges {
		edges[name{e.Controller, e.Name, e.Place}] = e
		controllers[e.Controller] = true
	}
	for _, it := range p.items {
		if !controllers[it.tags.Controller] || p.view.MayBeOutput != nil && !p.view.MayBeOutput(it.object) {
			continue
		}
		it.edge = edges[name{it.tags.Controller, it.tags.Edge, it.ref.Place}]
		_, _, err := ParseKey(it.tags.Input)
		switch {
		case it.tags.complete() && err == nil && it.edge != nil && !controlledByAnother(it.object, it.tags.Owner):
			it.group = it.edge.group(it.tags.Owner, it.tags.Input)
			it.group.observed = append(it.group.observed, it)
		case !it.tags.complete() || err != nil:
			it.damaged = true
		}
	}
}
