package explain

import (
	"fmt"
	"maps"
	"path"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Explain answers q.
func (s *Snapshot) Explain(q Question) (*waybill.FleetExplanation, error) {
	deliveries, err := s.deliveries(q.Cluster)
	if err != nil {
		return nil, err
	}
	x := &waybill.FleetExplanation{
		TypeMeta: metav1.TypeMeta{APIVersion: waybill.APIVersion, Kind: waybill.KindFleetExplanation},
		Question: waybill.ExplainedQuestion{
			Cluster: q.Cluster, Kind: q.Kind, Namespace: q.Namespace, Name: q.Name, Field: q.Field.String(),
		},
		Cluster:    s.cluster(q.Cluster, len(deliveries) > 0),
		Deliveries: []waybill.ExplainedDelivery{}, Policies: []waybill.ExplainedPolicy{},
	}
	handOvers, err := s.handOvers(q.Cluster, deliveries)
	if err != nil {
		return nil, err
	}
	handedOver(x, q, handOvers)
	if q.Kind == "" {
		s.explainCluster(x, deliveries)
		return x, nil
	}
	return x, s.explainObject(x, q, deliveries)
}

func (s *Snapshot) cluster(name string, receives bool) waybill.ExplainedCluster {
	out := waybill.ExplainedCluster{Name: name}
	known := map[string]bool{}
	for _, p := range s.packages {
		inventory, steps := p.inventory()
		for i := range inventory.Clusters {
			c := &inventory.Clusters[i]
			if known[c.Name] = true; c.Name == name && !out.Known {
				out.Known, out.Labels = true, c.Labels
				var at Path
				if c.Object.Kind() == workload.InventoryKind.Kind {
					at = entryOf(name)
				}
				out.Place = p.place(c.Object, steps, at)
			}
		}
	}
	if !out.Known && !receives {
		for _, c := range s.fleet.Named() {
			known[c] = true
		}
		if !known[name] {
			out.Similar = selection.Similar(name, slices.Sorted(maps.Keys(known)))
		}
	}
	return out
}

// inventory holds the clusters that the package knows after that many steps: when its policies are resolved or, without
// policies, in the end.
func (p *renderedPackage) inventory() (*workload.Inventory, int) {
	if len(p.binders) > 0 {
		return p.binders[0].Inventory(), p.binders[0].trace
	}
	inventory, _ := workload.ReadInventory(p.Result.Items, true)
	return inventory, len(p.Result.Traces)
}

func (s *Snapshot) explainCluster(x *waybill.FleetExplanation, deliveries []*delivery) {
	works, sending := map[[2]string]bool{}, map[[2]string]bool{} // several packages may have some of the same names
	for _, d := range deliveries {
		out := d.explained(s)
		if x.Deliveries = append(x.Deliveries, out); d.Work != "" {
			works[[2]string{d.File, d.Work}] = true
		}
		if out.Policy != "" {
			sending[[2]string{out.BindingFile, out.Policy}] = true
		}
	}
	for _, p := range s.packages {
		x.Policies = append(x.Policies, p.policies(x.Question.Cluster, nil)...)
	}
	x.There = len(deliveries) > 0
	received := fmt.Sprintf("%s receives %s in %s", x.Cluster.Name, selection.Count(len(deliveries), "object"),
		selection.Count(len(works), "work"))
	switch {
	case x.There && len(x.Policies) > 0:
		x.Says = fmt.Sprintf("%s, by %d of %s.", received, len(sending), selection.Count(len(x.Policies), "policy"))
	case x.There:
		x.Says = received + "."
	default:
		x.Says = nothing(x)
	}
}

func nothing(x *waybill.FleetExplanation) string {
	selecting := 0
	for _, p := range x.Policies {
		if p.SelectsCluster {
			selecting++
		}
	}
	policies := selection.Count(len(x.Policies), "policy")
	why := fmt.Sprintf("%d of %s select it, and none sends it an object", selecting, policies)
	switch {
	case !x.Cluster.Known:
		why = "no inventory names it" + didYouMean(x.Cluster.Similar)
	case len(x.Policies) == 0:
		why = "there is no BindingPolicy"
	case selecting == 0:
		why = "none of " + policies + " selects it"
	}
	return x.Cluster.Name + " receives nothing: " + why + "."
}

func (d *delivery) explained(s *Snapshot) waybill.ExplainedDelivery {
	out := waybill.ExplainedDelivery{Object: waybill.PreviewObject(d.id), Work: d.Work, File: s.file(d.File), Binding: d.Binding}
	if o, steps := d.source(); o != nil {
		out.Source = d.pack.place(o, steps, nil)
	}
	if b := d.binding(); b != nil {
		out.BindingFile = path.Join(d.pack.root, render.FileOf(b))
		out.Policy = policyOf(b)
	}
	return out
}

// binding is the Binding of d, as its package has it; nil for none.
func (d *delivery) binding() *krm.Object {
	if d.made != nil {
		return d.made.Binding
	}
	if d.pack == nil || d.Binding == "" {
		return nil
	}
	at := slices.IndexFunc(d.pack.Result.Items, func(o *krm.Object) bool {
		return o.Is(control.Group, control.KindBinding) && o.Name() == d.Binding
	})
	if at < 0 {
		return nil
	}
	return d.pack.Result.Items[at]
}
