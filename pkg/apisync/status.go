package apisync

import (
	"context"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// status copies the status of copies back to primaries whose copy is correct.
func (x *index) status(ctx context.Context, out *Round, unconverged map[string]bool) error {
	if !x.rule.config.SyncsBack() || x.snapshot.NoStatusBack {
		return nil
	}
	for _, p := range x.primaries {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if p.removing || p.retained || p.copy == nil || isDeleting(p.copy) || unconverged[p.key] {
			continue
		}
		n, err := x.mutatedStatus(ctx, x.rule.mutation, p.copy, p.object)
		if err != nil {
			out.failStatus(p.object, primaryEdge, p.key, err)
			unconverged[p.key] = true
			continue
		}
		if sameStatus(n, p.object.Lookup("status")) {
			continue
		}
		out.Statuses = append(out.Statuses, StatusWrite{p.object, x.refs[p.object], n, p.key, true})
		unconverged[p.key] = true // objects that refer to a status wait until it is written
	}
	return nil
}

// forwardStatuses copies the status of origins to existing copies.
func (x *index) forwardStatuses(ctx context.Context, out *Round, all []*relatedObjects) {
	moving := map[*krm.Object]bool{}
	for _, op := range out.Operations {
		if op.Old != nil && op.Old != op.New {
			moving[op.Old] = true
		}
	}
	for _, k := range all {
		for _, p := range x.primaries {
			if k.entry.SyncStatus && ctx.Err() == nil {
				k.forwardStatus(ctx, out, p, moving)
			}
		}
	}
}

func (r *relatedObjects) forwardStatus(ctx context.Context, out *Round, p *primary, moving map[*krm.Object]bool) {
	for _, one := range r.found[p.key].pairs {
		o := r.x.byRef[one.copy]
		if o == nil || isDeleting(o) || moving[o] {
			continue
		}
		if t := applyset.TagsOf(o); t.Controller != r.x.rule.name || t.Owner != p.key || t.Edge != r.entry.Identifier {
			continue
		}
		n, err := r.x.mutatedStatus(ctx, r.mutation, one.origin, o)
		switch {
		case err != nil:
			out.failStatus(one.origin, r.entry.Identifier, one.key, err)
		case !sameStatus(n, o.Lookup("status")):
			out.Statuses = append(out.Statuses, StatusWrite{o, r.x.refs[o], n, p.key, false})
		}
	}
}

// sameStatus compares two statuses; a missing and an empty one are equal.
func sameStatus(a, b *yaml.Node) bool {
	if isEmpty(a) || isEmpty(b) {
		return isEmpty(a) && isEmpty(b)
	}
	return krm.Equivalent(a, b)
}

func isEmpty(n *yaml.Node) bool {
	n = krm.Deref(n)
	return n == nil || krm.IsNull(n) || krm.IsMap(n) && len(n.Content) == 0
}

func (r *Round) failStatus(about *krm.Object, edge, key string, err error) {
	r.report(sdk.Error, about, nil, "%s(%s %s): status: %s", Name, edge, key, applyset.OneLine(err.Error()))
}
