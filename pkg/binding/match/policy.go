package match

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Policy is a BindingPolicy, compiled, and what it selects once it is resolved.
type Policy struct {
	*control.BindingPolicy
	Object   *krm.Object
	Clusters []labels.Selector
	matched  []bool // of clusters: those known to match some
	Clauses  []*Clause

	Destinations []int  // indexes into Inventory.Clusters, ascending
	Picks        []Pick // in the order of the universe
}

// Pick is a selected object.
type Pick struct {
	*Candidate
	Modulation control.Modulation
}

func Compile(p *control.BindingPolicy, o *krm.Object) *Policy {
	out := &Policy{BindingPolicy: p, Object: o}
	out.Clusters, _ = control.CompileSelectors(p.Spec.ClusterSelectors, nil) // validated
	for i := range p.Spec.Downsync {
		out.Clauses = append(out.Clauses, compileClause(&p.Spec.Downsync[i]))
	}
	return out
}

// SelectClusters selects clusters.
func (p *Policy) SelectClusters(inventory *workload.Inventory) {
	p.matched = make([]bool, len(p.Clusters))
	for i := range inventory.Clusters {
		if s := firstMatch(p.Clusters, inventory.Clusters[i].Labels); s >= 0 {
			p.matched[s], p.Destinations = true, append(p.Destinations, i)
		}
	}
}

// SelectObjects selects objects: whether a clause fits a type is decided once for the type.
func (p *Policy) SelectObjects(u *Candidates) {
	fitting := make([][]*Clause, len(u.types))
	for i, t := range u.types {
		for _, c := range p.Clauses {
			if c.MatchesType(t) {
				fitting[i] = append(fitting[i], c)
			}
		}
	}
	for _, e := range u.All {
		selected, wants := false, control.Modulation{}
		for _, c := range fitting[e.typ] {
			if c.MatchesObject(e) {
				c.matched, selected, wants = true, true, unite(wants, c.Modulation)
			}
		}
		if selected {
			p.Picks = append(p.Picks, Pick{e, wants})
		}
	}
}
