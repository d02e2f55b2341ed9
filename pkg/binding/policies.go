package binding

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// readPolicies decodes and compiles every BindingPolicy, and reports what is wrong with each.
func (r *resolver) readPolicies(items []*krm.Object) (out []*match.Policy) {
	first := map[string]*krm.Object{}
	for _, o := range workload.OfKind(items, control.Group, control.KindBindingPolicy) {
		if old := first[o.Name()]; old != nil {
			r.report(sdk.Error, o, field.NewPath("metadata", "name"), "two policies have this name, also %s", old.Describe())
			continue
		}
		first[o.Name()] = o
		p, errs := control.DecodeBindingPolicy(o)
		if _, invalid := workload.PropagationPolicyOf(o, workload.PropagationPolicies...); invalid != nil {
			errs = append(errs, invalid)
		}
		if len(errs) > 0 {
			r.add(fn.FieldErrors(o, errs))
			continue
		}
		out = append(out, match.Compile(p, o))
	}
	return out
}

// resolve finds what p selects and checks the limits.
func (r *resolver) resolve(p *match.Policy) {
	p.SelectClusters(r.inventory)
	p.SelectObjects(r.candidates)
	r.checkSelected(p, "maxClusters", "cluster", len(p.Destinations), r.opts.MaxClusters)
	if r.candidatesValid {
		r.checkSelected(p, "maxObjects", "object", len(p.Picks), r.opts.MaxObjects)
	}
}

func (r *resolver) checkSelected(p *match.Policy, option, what string, n int, limit *int) {
	if limit != nil && *limit >= 1 && n > *limit {
		r.report(sdk.Error, p.Object, field.NewPath("spec"), "the policy selects %s, more than the %d that %s allows",
			selection.Count(n, what), *limit, option)
	}
}
