package binding

import (
	"k8s.io/apimachinery/pkg/labels"

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

func compilePolicy(p *control.BindingPolicy, o *krm.Object) *policy {
	out := &policy{BindingPolicy: p, object: o}
	out.clusters, _ = control.CompileSelectors(p.Spec.ClusterSelectors, nil) // validated
	for i := range p.Spec.Downsync {
		out.clauses = append(out.clauses, compileClause(&p.Spec.Downsync[i]))
	}
	return out
}

// pickClusters selects clusters.
func (p *policy) pickClusters(inventory *workload.Inventory) {
	p.matched = make([]bool, len(p.clusters))
	for i := range inventory.Clusters {
		if s := firstMatch(p.clusters, inventory.Clusters[i].Labels); s >= 0 {
			p.matched[s], p.destinations = true, append(p.destinations, i)
		}
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
