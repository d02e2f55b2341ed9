package binding

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// policy is a BindingPolicy, compiled, and what it selects once it is resolved.
type policy struct {
	*control.BindingPolicy
	object   *krm.Object
	clusters []labels.Selector
	matched  []bool // of clusters: those known to match some
	clauses  []*clause

	destinations []int  // indexes into Inventory.Clusters, ascending
	picks        []pick // in the order of the universe
}

// pick is a selected object.
type pick struct {
	*entry
	wants control.Modulation
}

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

func compilePolicy(p *control.BindingPolicy, o *krm.Object) *policy {
	out := &policy{BindingPolicy: p, object: o}
	out.clusters, _ = control.CompileSelectors(p.Spec.ClusterSelectors, nil) // validated
	for i := range p.Spec.Downsync {
		out.clauses = append(out.clauses, compileClause(&p.Spec.Downsync[i]))
	}
	return out
}

// resolve finds what p selects and holds it against the limits.
func (r *resolver) resolve(p *policy) {
	p.matched = make([]bool, len(p.clusters))
	for i := range r.inventory.Clusters {
		if s := firstMatch(p.clusters, r.inventory.Clusters[i].Labels); s >= 0 {
			p.matched[s], p.destinations = true, append(p.destinations, i)
		}
	}
	p.pick(r.universe)
	r.holdLimit(p, "maxClusters", "cluster", len(p.destinations), r.opts.MaxClusters)
	if r.countable {
		r.holdLimit(p, "maxObjects", "object", len(p.picks), r.opts.MaxObjects)
	}
}

// pick selects objects: whether a clause fits a type is decided once for the type.
func (p *policy) pick(u *universe) {
	fitting := make([][]*clause, len(u.types))
	for i, t := range u.types {
		for _, c := range p.clauses {
			if c.matchesType(t) {
				fitting[i] = append(fitting[i], c)
			}
		}
	}
	for _, e := range u.entries {
		selected, wants := false, control.Modulation{}
		for _, c := range fitting[e.typ] {
			if c.matchesObject(e) {
				c.matched, selected, wants = true, true, unite(wants, c.wants)
			}
		}
		if selected {
			p.picks = append(p.picks, pick{e, wants})
		}
	}
}

func (r *resolver) holdLimit(p *policy, option, what string, n int, limit *int) {
	if limit != nil && *limit >= 1 && n > *limit {
		r.report(sdk.Error, p.object, field.NewPath("spec"), "the policy selects %s, more than the %d that %s allows",
			count(n, what), *limit, option)
	}
}
