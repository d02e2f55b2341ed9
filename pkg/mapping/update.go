package mapping

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// plan runs the engine. It has one update method for all outputs of a run, and types may each have their
// own: then it runs once for each method, with the same answers, and every object is taken from the run of
// its method. The runs agree on all else, because only the content of what exists depends on the method.
func (p *pass) plan(ctx context.Context, view correspond.View) (*correspond.Plan, error) {
	edge, methods := p.edge(), p.methods()
	if len(methods) > 1 {
		p.answers = map[answerKey]told{}
	}
	plans := map[correspond.Update]*correspond.Plan{}
	for _, m := range methods {
		edge.Update = m
		plan, err := correspond.Run(ctx, view, []correspond.Edge{edge})
		if err != nil {
			return nil, err
		}
		plans[m] = plan
	}
	base := plans[methods[0]]
	for _, m := range methods[1:] {
		p.take(base, plans[m], m)
	}
	return base, nil
}

// methods are those of all types. Where there are several, InPlace is the first: whatever another one has
// an operation for, it has.
func (p *pass) methods() (methods []correspond.Update) {
	for _, of := range p.c.outputs {
		methods = append(methods, of.update)
	}
	slices.Sort(methods)
	if methods = slices.Compact(methods); len(methods) > 1 && methods[0] != correspond.InPlace {
		methods = append([]correspond.Update{correspond.InPlace}, methods...)
	}
	return methods
}

// take puts what another plan says about types of its method into a plan.
func (p *pass) take(into, from *correspond.Plan, m correspond.Update) {
	mine := func(id krm.ID) bool {
		i := slices.IndexFunc(p.c.outputs, func(of output) bool {
			return of.GroupKind == schema.GroupKind{Group: id.Group, Kind: id.Kind}
		})
		return i >= 0 && p.c.outputs[i].update == m
	}
	items := map[krm.ID]*krm.Object{}
	for _, o := range from.Items {
		if id := idOf(p.c.types, o); mine(id) && correspond.TagsOf(o).Controller == p.c.name {
			items[id] = o
		}
	}
	for i, o := range into.Items {
		if other := items[idOf(p.c.types, o)]; other != nil {
			into.Items[i] = other
		}
	}
	type key struct {
		chain string
		ref   correspond.Ref
	}
	operations := map[key]correspond.Operation{}
	for _, op := range from.Operations {
		operations[key{op.Chain, op.Ref}] = op
	}
	kept := into.Operations[:0]
	for _, op := range into.Operations {
		if mine(op.Ref.ID) {
			other, is := operations[key{op.Chain, op.Ref}]
			if !is {
				continue
			}
			op = other
		}
		kept = append(kept, op)
	}
	into.Operations = kept
	into.Results = slices.DeleteFunc(into.Results, func(r correspond.Result) bool {
		return m == correspond.OnDelete && r.Reason == correspond.ReasonStateLost && r.Object != nil && mine(r.Object.ID())
	})
}

// answerKey names a group and a hook that was asked about it.
type answerKey struct{ owner, key, hook string }

// told is an answer that was given, or why there is none.
type told struct {
	answer *answer
	err    error
}

// once asks, or gives the answer of an earlier run of the engine, whose outputs that run was given.
func (p *pass) once(ctx context.Context, par *parent, g *correspond.Group, name string) (*answer, error) {
	if p.answers == nil {
		return p.c.ask(ctx, p.request(par, g, name))
	}
	k := answerKey{g.Owner, g.Key, name}
	p.lock.Lock()
	t, is := p.answers[k]
	p.lock.Unlock()
	if !is {
		t.answer, t.err = p.c.ask(ctx, p.request(par, g, name))
		p.lock.Lock()
		p.answers[k] = t
		p.lock.Unlock()
	}
	if t.err != nil {
		return nil, t.err
	}
	copied := *t.answer
	copied.outputs = nil
	for _, o := range t.answer.outputs {
		copied.outputs = append(copied.outputs, o.DeepCopy())
	}
	return &copied, nil
}
