package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/fluxtest"
	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// delivery is the whole loop: a blueprint, a controller, a deployment repository, Flux, a hub, and two clusters with their agents.
type delivery struct {
	testing.TB
	*ocmtest.Fleet
	hub                     *ocmtest.Hub
	flux                    *fluxtest.Flux
	near, far               *ocmtest.Member
	uids                    []*ocmtest.Identities // of both
	kubeconfig              string                // of the hub
	blueprints, deployments string                // bare repositories
	releases                int
	controllers             []*process
	interrupt               func(args []string) // runs a command line and kills it, if set
	before                  string              // the main branch after the last step whose state was read
}

// TestDelivery leads a fleet through its life with the parts that users run. After every step all works are applied, each object that
// stays has the uid that it had, and the status of the clusters is on the hub, in Git and in what the command prints.
func TestDelivery(t *testing.T) {
	testenv.Need(t, testenv.Git, testenv.APIServer, testenv.OCM, testenv.Flux)
	t.Parallel()
	d := newDelivery(t)
	for _, s := range deliverySteps {
		d.step(s)
	}
	d.rests()
	d.end()
}

// step goes through a step, and wants everything that it says.
func (d *delivery) step(s deliveryStep) {
	d.Helper()
	began := time.Now()
	d.do(s.change)
	d.release()
	d.do(s.meanwhile)
	d.arrive()
	for i, want := range []string{s.near, s.far} {
		if got := changes(d.uids[i].Compare(d, append(d.near.Works(d), d.far.Works(d)...))); got != want {
			d.Errorf("%s: %s: want the uids %q, got %q", s.name, []string{"near", "far"}[i], want, got)
		}
	}
	d.do(s.after)
	d.reports(s.name, s.ready)
	d.Logf("%s: %s", s.name, time.Since(began).Round(100*time.Millisecond))
}

// end ends the controllers, as a pod's end does.
func (d *delivery) end() {
	d.Helper()
	for _, p := range d.controllers {
		if code := p.end(); code != exitDone {
			d.Errorf("a controller ended with %d:\n%s", code, &p.log)
		}
	}
}

// do does a part of a step, if the step has it.
func (d *delivery) do(part func(*delivery)) {
	if part != nil {
		part(d)
	}
}

// changes are the numbers of objects, in words; those that were deleted and created are named.
func changes(c ocmtest.Changes) string {
	var words []string
	for _, s := range []struct {
		word  string
		names []string
	}{{"kept", c.Kept}, {"new", c.New}, {"gone", c.Gone}} {
		if len(s.names) > 0 {
			words = append(words, fmt.Sprintf("%d %s", len(s.names), s.word))
		}
	}
	for _, name := range c.Recreated {
		words = append(words, "deleted and created: "+name)
	}
	return strings.Join(words, ", ")
}
