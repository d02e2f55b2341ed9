package applyset

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// selectInputs creates the groups that have an input.
func (r *planner) selectInputs(e *edgeState) {
	for i := range e.Inputs {
		in := &e.Inputs[i]
		owner := in.Owner
		if owner == "" {
			owner = in.Key
		}
		if e.excludes(in, owner) {
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
		r.report(g, sdk.Warning, ReasonDuplicate, second, nil, "this input is there twice; this copy is ignored")
	}
}

// excludes reports whether an input is an output of its own owner.
func (e *edgeState) excludes(in *Input, owner string) bool {
	if in.Object == nil || owner == in.Key {
		return false
	}
	if in.Object.Annotation(OwnerAnnotation) == owner {
		return true
	}
	o := e.owners[owner]
	if o == nil || o.Object == nil {
		return false
	}
	uid := o.Object.String("metadata", "uid")
	ref := controllerOf(in.Object)
	return uid != "" && ref != nil && threeway.ScalarText(krm.Lookup(ref, "uid")) == uid
}

// attachOutputs finds the outputs of this run among the items, and creates the groups that have no input.
func (r *planner) attachOutputs() {
	type name struct{ controller, edge, place string }
	edges, controllers := map[name]*edgeState{}, map[string]bool{}
	for _, e := range r.edges {
		edges[name{e.Controller, e.Name, e.Place}] = e
		controllers[e.Controller] = true
	}
	for _, it := range r.items {
		if !controllers[it.tags.Controller] || r.view.MayBeOutput != nil && !r.view.MayBeOutput(it.object) {
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
