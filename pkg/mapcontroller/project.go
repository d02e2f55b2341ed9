package mapcontroller

import (
	"context"
	"fmt"
	"time"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// project calls the hook for an input.
func (p *reconciler) project(ctx context.Context, g *applyset.Group) applyset.Outcome {
	par, name := p.byKey[g.Owner], HookMap
	if par.deleting {
		name = HookFinalize
	}
	return p.runHook(ctx, par, g, name)
}

// tombstone calls the hook for outputs whose input does not exist. If the parent does not exist either, no output stays. A
// misspelt kind deletes nothing.
func (p *reconciler) tombstone(ctx context.Context, g *applyset.Group) applyset.Outcome {
	if why := p.mayExist(g); why != nil {
		return applyset.Fail(why)
	}
	par, name := p.byKey[g.Owner], HookTombstone
	if par != nil && par.deleting {
		name = HookFinalize
	}
	if par == nil || p.c.hooks[name] == nil {
		return applyset.Keep()
	}
	return p.runHook(ctx, par, g, name)
}

// runHook calls one hook for one group and redacts its errors.
func (p *reconciler) runHook(ctx context.Context, par *parent, g *applyset.Group, name string) applyset.Outcome {
	r := p.request(par, g, name)
	out, err := p.callHook(ctx, par, g, r)
	if err != nil {
		p.recordAnswer(par, 0, false)
		out = applyset.Fail(r.redact(err))
	}
	out.Redact = r.seesSecret()
	return out
}

// callHook calls a hook, and converts its answer for the engine.
func (p *reconciler) callHook(ctx context.Context, par *parent, g *applyset.Group, r *Request) (applyset.Outcome, error) {
	a, err := p.c.call(ctx, r)
	if err != nil {
		return applyset.Outcome{}, err
	}
	if a.retry != nil {
		after := max(1, *a.retry)
		p.recordAnswer(par, after, false)
		out := applyset.Retry("hook %s asks for some time", r.Hook)
		out.RequeueAfter = after
		return out, nil
	}
	p.recordAnswer(par, a.resync, a.finalized)
	out, err := p.toOutcome(par, g, a)
	if err != nil {
		return out, fmt.Errorf("hook %s: %w", r.Hook, err)
	}
	out.Notes, out.RequeueAfter = r.redactNotes(a.notes), a.resync
	return out, nil
}

// toOutcome converts an answer for the engine.
func (p *reconciler) toOutcome(par *parent, g *applyset.Group, a *answer) (applyset.Outcome, error) {
	if g.Input == nil {
		var stay []krm.ID
		for i, o := range a.outputs {
			if err := p.completeOutput(par, o); err != nil {
				return applyset.Outcome{}, fmt.Errorf("outputs[%d]: %w", i, err)
			}
			stay = append(stay, idOf(p.c.types, o))
		}
		return applyset.Keep(stay...), nil
	}
	for i, o := range a.outputs {
		if err := p.prepareOutput(par, g, o); err != nil {
			return applyset.Outcome{}, fmt.Errorf("outputs[%d]: %w", i, err)
		}
	}
	return applyset.Outputs(a.outputs...), nil
}

// recordAnswer records what a hook's answer says about the parent itself.
func (p *reconciler) recordAnswer(par *parent, after time.Duration, finalized bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	par.unfinished = par.unfinished || !finalized
	if after > 0 && (par.requeue == 0 || after < par.requeue) {
		par.requeue = after
	}
}

// request builds the request of a hook for a group.
func (p *reconciler) request(par *parent, g *applyset.Group, name string) *Request {
	version := p.c.hooks[name].version
	r := &Request{
		Hook: name, ParentKey: par.key, Key: g.Key, MapKey: g.MapKey, Parent: par.object, parentData: par.data,
		Outputs: newAssociation(p.c.outputs), Finalizing: par.deleting, Reason: g.Detached, budget: &p.budget,
	}
	if g.Input != nil {
		r.Input = g.Input.WithoutOrchestration()
	}
	from := nameScope{version, par.namespace}
	for _, o := range g.Outputs {
		if of := find(p.c.outputs, o.Group(), o.Kind()); of != nil {
			r.Outputs.add(of, o, workload.NamespaceIn(p.c.types, o), from)
		}
	}
	if p.c.hooks[HookCustomize] != nil {
		r.Related, r.relatedData = par.related[version], par.relatedData[version]
	}
	return r
}
