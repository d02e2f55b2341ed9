package explain

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// explainFields tells where the values of a field and of all below it come from, or of all fields.
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
	last := "nothing ever gave it one"
	if n := len(f.Steps); n > 0 && f.Steps[n-1].Function != nil {
		last = "function " + f.Steps[n-1].Function.Name + " removed it"
	}
	x.Says = fmt.Sprintf("%s on %s has no field %s: %s.", title(d.id), x.Cluster.Name, at, last)
}
