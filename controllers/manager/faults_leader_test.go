package manager_test

import (
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// TestLeadershipLost takes the lead from a controller in the middle of a push. It ends; until then, what it
// still does must not harm what the next one does.
func TestLeadershipLost(t *testing.T) {
	cases := map[string]struct {
		reason string
		at     gitrepo.Step
		lose   func(*fleet, *wire)
	}{
		"before the refs move": {"another user holds the lease", gitrepo.StepVerified, func(f *fleet, _ *wire) { f.steal() }},
		"after they moved":     {"the API server cannot be reached", gitrepo.StepAccepted, func(_ *fleet, w *wire) { w.cut() }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t, []string{"eu", "fr"})
			f.lease("delete", "--ignore-not-found")
			line, g := newWire(), newGate(tc.at)
			one := f.launch(setup{wire: line, gate: g, elect: true})
			f.hold(g)
			two := f.launch(setup{elect: true})
			tc.lose(f, line)
			one.falls("leader election lost")
			f.await("the next one takes the lead: "+tc.reason, f.local.reconcile(), f.allRefs)
			f.await("and says so", drafted("eu", "fr"), f.states)
			g.let()
			f.settled(two, drafted("eu", "fr"))
		})
	}
}

// lease does something to the lease that the leader holds.
func (f *fleet) lease(verb string, args ...string) {
	f.Helper()
	if _, err := f.Kubectl(f, f.Admin(), "", append([]string{verb, "lease/controller.waybill.dev", "-n", system}, args...)...); err != nil {
		f.Fatal(err)
	}
}

// steal makes another process the leader, which then does nothing.
func (f *fleet) steal() {
	f.Helper()
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00")
	f.lease("patch", "--type=merge", "-p", strings.ReplaceAll(`{"spec":{"holderIdentity":"thief","acquireTime":"NOW","renewTime":"NOW"}}`, "NOW", now))
}
