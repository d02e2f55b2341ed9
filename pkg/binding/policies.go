package binding

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// readPolicies decodes and compiles every BindingPolicy and reports what is wrong with any.
func (r *resolver) readPolicies(items []*krm.Object) (out []*policy) {
	var objects []*krm.Object
	for _, o := range items {
		if o.Is(control.Group, control.KindBindingPolicy) {
			objects = append(objects, o)
		}
	}
	slices.SortFunc(objects, workload.Compare)
	first := map[string]*krm.Object{}
	for _, o := range objects {
		if old := first[o.Name()]; old != nil {
			r.report(sdk.Error, o, field.NewPath("metadata", "name"), "two policies have this name, also %s", old.Describe())
			continue
		}
		first[o.Name()] = o
		p, errs := control.DecodeBindingPolicy(o)
		if len(errs) > 0 {
			r.fault(o, errs)
			continue
		}
		out = append(out, compilePolicy(p, o))
	}
	return out
}

// resolve finds what p selects and holds it against the limits.
func (r *resolver) resolve(p *policy) {
	p.pickClusters(r.inventory)
	p.pick(r.universe)
	r.holdLimit(p, "maxClusters", "cluster", len(p.destinations), r.opts.MaxClusters)
	if r.countable {
		r.holdLimit(p, "maxObjects", "object", len(p.picks), r.opts.MaxObjects)
	}
}

func (r *resolver) holdLimit(p *policy, option, what string, n int, limit *int) {
	if limit != nil && *limit >= 1 && n > *limit {
		r.report(sdk.Error, p.object, field.NewPath("spec"), "the policy selects %s, more than the %d that %s allows",
			count(n, what), *limit, option)
	}
}
