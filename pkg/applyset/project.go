package applyset

import (
	"context"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// projectAll calls the projection of every group, for each edge as many at a time as its Parallel allows.
func (p *planner) projectAll(ctx context.Context) error {
	asked := map[*edgeState][]*group{}
	for _, g := range p.groups {
		if p.mayProject(g) {
			asked[g.edge] = append(asked[g.edge], g)
		}
	}
	for _, e := range p.edges {
		groups := asked[e]
		ForEach(len(groups), e.Parallel, func(i int) {
			if ctx.Err() == nil {
				groups[i].outcome = groups[i].project(ctx)
			}
		})
	}
	return ctx.Err()
}

// project calls the projection of one group. A panic fails that group alone.
func (g *group) project(ctx context.Context) (out Outcome) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case g.redact:
			out = Fail(errors.New("the projection panicked on this input, which may hold secrets; please report it"))
		default:
			out = Fail(fmt.Errorf("the projection panicked on this input: %v; please report it", p))
		}
	}()
	seen := g.Group // a copy: the projection may change it
	switch {
	case g.hasInput:
		return g.edge.Project(ctx, &seen)
	case g.edge.Tombstone != nil:
		return g.edge.Tombstone(ctx, &seen)
	}
	return Outputs()
}

// collectOutcomes applies the outcome of every group: it freezes the group, or records its desired outputs.
func (p *planner) collectOutcomes() {
	for _, g := range p.groups {
		if g.frozen {
			continue
		}
		g.redact = g.redact || g.outcome.Redact
		for _, n := range g.outcome.Notes {
			p.report(g, n.Severity, ReasonNote, g.Input, n.Field, "%s", n.Message)
		}
		if after := g.outcome.RequeueAfter; after > 0 && (p.requeue == 0 || after < p.requeue) {
			p.requeue = after
		}
		if g.outcome.apply == nil {
			g.outcome = Fail(errors.New("the projection gave no outcome; please report it"))
		}
		g.outcome.apply(p, g)
		g.outcome.apply = nil // the desired objects are copies; this frees the originals
	}
}

func idsOf(objects []*krm.Object) (ids []krm.ID) {
	for _, o := range objects {
		if o != nil {
			ids = append(ids, o.ID())
		}
	}
	return ids
}

func (p *planner) applyOutputs(g *group, objects []*krm.Object) {
	seen := make(map[Ref]bool, len(objects))
	for i, o := range objects {
		d, err := g.edge.newDesired(p.view, g, i, o)
		if err == nil && seen[d.ref] {
			err = fmt.Errorf("outputs[%d]: %s is listed twice", i, p.displayName(g, d.ref))
		}
		if err != nil {
			p.fail(g, g.Input, err)
			return
		}
		seen[d.ref] = true
		g.desired = append(g.desired, d)
	}
}

// applyKept records which outputs stay as they are.
func (p *planner) applyKept(g *group, ids []krm.ID) {
	have := make(map[Ref]bool, len(g.observed))
	for _, it := range g.observed {
		have[it.ref] = true
	}
	g.kept = map[Ref]bool{}
	for _, id := range ids {
		ref := Ref{g.edge.Place, id}
		if !have[ref] {
			p.report(g, sdk.Warning, ReasonNote, nil, nil, "there is no output %s to keep", p.displayName(g, ref))
			continue
		}
		g.kept[ref] = true
	}
}

// fail freezes a group with an error and informs the groups that depend on it. Only the first error of a group is reported.
func (p *planner) fail(g *group, about *krm.Object, err error) {
	if !g.failed { // otherwise it was reported
		p.failAs(sdk.Error, g, about, err)
		p.propagate(g)
	}
}

func (p *planner) failAs(sev sdk.Severity, g *group, about *krm.Object, err error) {
	if err == nil {
		err = errors.New("it failed without a reason")
	}
	if about == nil && len(g.observed) > 0 {
		about = g.observed[0].object
	}
	var at *field.Error
	var path *field.Path
	if errors.As(err, &at) && at.Field != "" {
		path = field.NewPath(at.Field)
	}
	p.report(g, sev, ReasonFailed, about, path, "%v", err)
	g.freeze(ReasonFailed)
	g.failed = true
}

func groupKind(id krm.ID) schema.GroupKind { return schema.GroupKind{Group: id.Group, Kind: id.Kind} }

// isSecret reports whether messages and states must not show values of such an object.
func (e *edgeState) isSecret(id krm.ID) bool {
	return id.Group == "" && id.Kind == "Secret" || slices.Contains(e.SecretTypes, groupKind(id))
}

// seesSecret reports whether the input, the owner or an output of a group is a Secret.
func (g *group) seesSecret() bool {
	is := func(o *krm.Object) bool { return o != nil && g.edge.isSecret(o.ID()) }
	return is(g.Input) || is(g.OwnerObject) || slices.ContainsFunc(g.Outputs, is)
}

// displayName names an output in a message about g. The name of an output that does not exist yet may be the value of a
// secret.
func (p *planner) displayName(g *group, ref Ref) string {
	if g.redact && p.byRef[ref] == nil {
		return "(its name may be secret)"
	}
	return ref.String()
}
