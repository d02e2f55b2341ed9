package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/workload"
)

func (s *Snapshot) explainObject(x *waybill.FleetExplanation, q Question, deliveries []*delivery) error {
	var meant []*delivery
	var ids []krm.ID
	for _, d := range deliveries {
		kinds := workload.Builtin()
		if d.pack != nil {
			kinds = d.pack.kinds()
		}
		if q.means(d.id, kinds) {
			meant, ids = append(meant, d), append(ids, d.id)
		}
	}
	if err := ambiguous(q, ids); err != nil {
		return err
	}
	if len(meant) == 0 {
		return s.explainAbsent(x, q, deliveries)
	}
	s.explainPresent(x, meant)
	if q.Field != nil || q.Fields {
		explainFields(x, q, meant)
	}
	return nil
}

// ambiguous returns an error if a question means several objects.
func ambiguous(q Question, ids []krm.ID) error {
	var meant []string
	for _, id := range ids {
		kind := id.Kind
		if id.Group != "" {
			kind += "." + id.Group
		}
		parts := []string{q.Cluster, kind, id.Namespace, id.Name}
		meant = append(meant, safetext.Visible(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "/")))
	}
	slices.Sort(meant)
	if meant = slices.Compact(meant); len(meant) < 2 {
		return nil
	}
	return &AmbiguousError{q.String(), meant}
}

func (s *Snapshot) explainPresent(x *waybill.FleetExplanation, meant []*delivery) {
	x.There = true
	first := meant[0]
	x.Object = &waybill.ExplainedObject{PreviewObject: waybill.PreviewObject(first.id)}
	var by []string
	for _, d := range meant {
		out := d.explained(s)
		x.Deliveries = append(x.Deliveries, out)
		by = append(by, describeDelivery(&out))
	}
	if o, steps := first.source(); o != nil {
		x.Object.Place = first.pack.place(o, steps, nil)
	}
	for _, d := range meant {
		if d.made != nil {
			s.evaluate(x, d.pack, d.made.Source)
			break
		}
	}
	x.Says = fmt.Sprintf("%s receives %s %s.", x.Cluster.Name, first.id.Title(), strings.Join(slices.Compact(by), ", and "))
}

func (s *Snapshot) evaluate(x *waybill.FleetExplanation, p *renderedPackage, o *krm.Object) {
	x.Policies = append(x.Policies, p.policies(x.Question.Cluster, o)...)
	for _, b := range p.binders {
		if x.Object.Labels == nil {
			x.Object.Labels = b.Labels(o)
		}
	}
}

func describeDelivery(d *waybill.ExplainedDelivery) string {
	switch {
	case d.Policy != "":
		return "by policy " + d.Policy
	case d.Binding != "":
		return "by Binding " + d.Binding
	case d.Work != "":
		return "in work " + d.Work
	}
	return "from a file of its own"
}

// explainFields explains a field and all fields below it, or all fields.
func explainFields(x *waybill.FleetExplanation, q Question, meant []*delivery) {
	d := meant[0]
	l := d.lineage()
	at := q.Field
	x.Fields = []waybill.ExplainedField{}
	if n := at.find(d.object.Node()); n != nil {
		for _, p := range leaves(n, at) {
			x.Fields = append(x.Fields, l.field(p))
		}
		return
	}
	x.There = false
	f := l.field(at)
	x.Fields = append(x.Fields, f)
	last := "no step ever set it"
	if n := len(f.Steps); n > 0 && f.Steps[n-1].Function != nil {
		last = "function " + f.Steps[n-1].Function.Name + " removed it"
	}
	x.Says = fmt.Sprintf("%s on %s has no field %s: %s.", d.id.Title(), x.Cluster.Name, at, last)
}

// handOver is a hand-over entry: a work names an object and releases it.
type handOver struct {
	id krm.ID
	waybill.ExplainedHandOver
}

// handOvers are the entries in works of a cluster, with the works that hold the objects.
func (s *Snapshot) handOvers(cluster string, deliveries []*delivery) (out []handOver, err error) {
	all, err := s.fleet.Delivered(cluster)
	if err != nil {
		return nil, err
	}
	for _, one := range all {
		if !one.HandOver {
			continue
		}
		id, err := one.Content.ID()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file(one.File), err)
		}
		h := handOver{id, waybill.ExplainedHandOver{Object: waybill.PreviewObject(id), Work: one.Work, File: s.file(one.File), To: []string{}}}
		for _, d := range deliveries {
			if d.id == id {
				h.To = append(h.To, cmp.Or(d.Work, s.file(d.File)))
			}
		}
		slices.Sort(h.To)
		h.To = slices.Compact(h.To)
		out = append(out, h)
	}
	return out, nil
}

// handedOver adds all hand-overs, or those that the question means.
func handedOver(x *waybill.FleetExplanation, q Question, all []handOver) {
	for _, h := range all {
		if q.Kind == "" || q.means(h.id, workload.Builtin()) {
			x.HandOvers = append(x.HandOvers, h.ExplainedHandOver)
		}
	}
}

// leftBehind ends the sentence about an object that no work delivers and that some works have entries for; "" for others.
func leftBehind(x *waybill.FleetExplanation) string {
	if len(x.HandOvers) == 0 {
		return ""
	}
	works := joined(x.HandOvers, " and ", func(h waybill.ExplainedHandOver) string { return "work " + h.Work })
	return ". It stays on the cluster, where " + works + " left it behind"
}

func (p *page) handOvers(x *waybill.FleetExplanation) {
	for _, h := range x.HandOvers {
		if len(h.To) == 0 {
			p.line(0, "\nLeft behind on the cluster: %s, by work %s (%s)", krm.ID(h.Object).Title(), h.Work, h.File)
			continue
		}
		p.line(0, "\nHanded over: %s, from work %s (%s) to %s", krm.ID(h.Object).Title(), h.Work, h.File, strings.Join(h.To, ", "))
	}
}
