package correspond

import sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

// limitDeletions refuses all that a controller's edges would do, if it deletes more than one of them allows.
func (r *run) limitDeletions() {
	type tally struct{ deletions, outputs int }
	by := map[string]*tally{}
	for _, g := range r.groups {
		t := by[g.Controller]
		if t == nil {
			t = &tally{}
			by[g.Controller] = t
		}
		t.outputs += len(g.observed)
		for _, c := range g.changes {
			if c.action == ActionDelete {
				t.deletions++
			}
		}
	}
	refused := map[string]bool{}
	for _, e := range r.edges {
		t := by[e.Controller]
		if t == nil || refused[e.Controller] || e.MaxDeletions.Allows(t.deletions, t.outputs) {
			continue
		}
		refused[e.Controller] = true
		r.sayOf(e, sdk.Error, ReasonRefused, "%d of %s would go, more than maxDeletions, %s, allows; nothing is changed",
			t.deletions, count(t.outputs, "output"), e.MaxDeletions)
	}
	for _, g := range r.groups {
		if refused[g.Controller] && !g.settled {
			g.settle(ReasonRefused)
		}
	}
}
