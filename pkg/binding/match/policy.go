package match

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Policy is a compiled BindingPolicy and what it selects.
type Policy struct {
	*control.BindingPolicy
	Object   *krm.Object
	Clusters []labels.Selector
	matched  []bool // the selectors that match a cluster first
	Clauses  []*Clause

	Destinations []int  // indexes of the selected clusters, ascending
	Picks        []Pick // in the order of candidates
}

// Pick is a selected object.
type Pick struct {
	*Candidate
	Modulation control.Modulation
}

// Compile compiles a valid policy, which o holds.
func Compile(p *control.BindingPolicy, o *krm.Object) *Policy {
	out := &Policy{BindingPolicy: p, Object: o}
	out.Clusters, _ = control.CompileSelectors(p.Spec.ClusterSelectors, nil) // validated
	for i := range p.Spec.Downsync {
		out.Clauses = append(out.Clauses, compileClause(&p.Spec.Downsync[i]))
	}
	return out
}

// SelectClusters selects clusters of the inventory.
func (p *Policy) SelectClusters(inventory *workload.Inventory) {
	p.matched = make([]bool, len(p.Clusters))
	for i := range inventory.Clusters {
		if s := firstMatch(p.Clusters, inventory.Clusters[i].Labels); s >= 0 {
			p.matched[s], p.Destinations = true, append(p.Destinations, i)
		}
	}
}

// SelectObjects selects objects. It decides once for each type whether a clause matches it.
func (p *Policy) SelectObjects(all *Candidates) {
	fitting := make([][]*Clause, len(all.types))
	for i, t := range all.types {
		for _, c := range p.Clauses {
			if c.MatchesType(t) {
				fitting[i] = append(fitting[i], c)
			}
		}
	}
	for _, e := range all.All {
		selected, wants := false, control.Modulation{}
		for _, c := range fitting[e.typ] {
			if c.MatchesObject(e) {
				c.matched, selected, wants = true, true, mergeModulation(wants, c.Modulation)
			}
		}
		if selected {
			p.Picks = append(p.Picks, Pick{e, wants})
		}
	}
}
