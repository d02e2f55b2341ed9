package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/workload"
)

func (w *Snapshot) explainObject(x *waybill.FleetExplanation, q Question, deliveries []*delivery) error {
	var meant []*delivery
	var ids []krm.ID
	for _, d := range deliveries {
		kinds := builtin
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
		return w.explainAbsent(x, q, deliveries)
	}
	w.explainPresent(x, meant)
	if q.Field != nil || q.Fields {
		explainFields(x, q, meant)
	}
	return nil
}

var builtin, _ = workload.NewResources(nil, nil)

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

func (w *Snapshot) explainPresent(x *waybill.FleetExplanation, meant []*delivery) {
	x.There = true
	first := meant[0]
	x.Object = &waybill.ExplainedObject{PreviewObject: waybill.PreviewObject(first.id)}
	var by []string
	for _, d := range meant {
		out := d.explained(w)
		x.Deliveries = append(x.Deliveries, out)
		by = append(by, describeDelivery(&out))
	}
	if o, steps := first.source(); o != nil {
		x.Object.Place = first.pack.place(o, steps, nil)
	}
	for _, d := range meant {
		if d.made != nil {
			w.evaluate(x, d.pack, d.made.Source)
			break
		}
	}
	x.Says = fmt.Sprintf("%s receives %s %s.", x.Cluster.Name, first.id.Title(), strings.Join(slices.Compact(by), ", and "))
}

func (w *Snapshot) evaluate(x *waybill.FleetExplanation, p *renderedPackage, o *krm.Object) {
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
