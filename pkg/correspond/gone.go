package correspond

import (
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
)

// gone is what goes because its owner is not among those there are.
type gone struct {
	edge  *edgeRun
	owner string
	why   Reason
}

// sayGone tells of it once for each owner, about the first output that goes: such an owner has no summary.
func (r *run) sayGone() {
	first, counts := map[gone]*item{}, map[gone]int{}
	for _, g := range r.groups {
		if g.Detached != OwnerMissing && g.Detached != OwnerNotSelected {
			continue
		}
		of := gone{g.run, g.Owner, g.Detached}
		for i := range g.changes {
			c := &g.changes[i]
			if !c.removes() {
				continue
			}
			if counts[of]++; first[of] == nil || compareItems(c.old, first[of]) < 0 {
				first[of] = c.old
			}
		}
	}
	for of, it := range first { // results are sorted
		what := "there"
		if of.why == OwnerNotSelected {
			what = "selected"
		}
		r.results = append(r.results, Result{
			Severity: sdk.Info, Reason: of.why, Controller: of.edge.Controller, Edge: of.edge.Name, Object: it.object,
			Message: of.edge.title("") + OneLine(fmt.Sprintf("owner %s is not %s any more; what was made for it goes: %s", of.owner, what,
				count(counts[of], "output"))),
		})
	}
}
