package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/fluxtest"
	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
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
}

// TestDelivery leads a fleet through its life with the parts that users run. After every step all works are applied, each object that
// stays has the uid that it had, and the status of the clusters is on the hub, in Git and in what the command prints.
func TestDelivery(t *testing.T) {
	testenv.Need(t, testenv.Git, testenv.APIServer, testenv.OCM, testenv.Flux)
	d := newDelivery(t)
	for _, s := range deliverySteps {
		began := time.Now()
		d.do(s.change)
		d.release()
		d.do(s.meanwhile)
		d.arrive()
		for i, want := range []string{s.near, s.far} {
			if got := changes(d.uids[i].Compare(t, append(d.near.Works(t), d.far.Works(t)...))); got != want {
				t.Errorf("%s: %s: want the uids %q, got %q", s.name, []string{"near", "far"}[i], want, got)
			}
		}
		d.do(s.after)
		d.reports(s.name, s.ready)
		t.Logf("%s: %s", s.name, time.Since(began).Round(100*time.Millisecond))
	}
	d.rests()
	for _, p := range d.controllers {
		if code := p.end(); code != exitDone {
			t.Errorf("a controller ended with %d:\n%s", code, &p.log)
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

const (
	deliveryCollector = `apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: ready}
spec:
  select:
  - {name: cluster, def: inventory.name}
  - {name: ready, def: "has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0"}
  limit: 20
`
	deliveryRepository = `---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: %s, namespace: %s}
spec: {type: git, deployment: %t, git: {repo: %q}}
`
	deliveryVariant = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: shop, namespace: fleet}
spec:
  upstream: {repo: blueprints, package: shop, revision: %d}
  downstream: {repo: deployments, package: shop}
`
)

func newDelivery(t *testing.T) *delivery {
	t.Helper()
	hub := ocmtest.SharedHub(t)
	d := &delivery{TB: t, hub: hub, Fleet: ocmtest.NewFleet("shop", "near", "far"),
		blueprints: gittest.NewBare(t), deployments: gittest.NewBare(t)}
	d.near, d.far = hub.Join(t, "near"), hub.Join(t, "far")
	d.uids = []*ocmtest.Identities{d.near.Identities(), d.far.Identities()}
	d.Texts["policy.yaml"] += "  - apiGroup: apps\n    resources: [deployments]\n    statusCollectors: [ready]\n"
	d.Texts["collectors/ready.yaml"] = deliveryCollector
	d.options()
	gittest.Commit(t, d.deployments, gittest.Change{Message: "The fleet begins\n"})

	hub.InstallCRDs(t, "../../controllers/manifests/crds")
	hub.InstallCRDs(t, "../../testdata/crds/combinedstatus/always")
	d.kubeconfig = hub.Kubeconfig(t, hub.Admin())
	url := gittest.NewHTTP(t, d.deployments)
	for _, namespace := range []string{"fleet", "results", d.Namespace} {
		d.kubectl("", "create", "namespace", namespace)
	}
	d.kubectl(fmt.Sprintf(deliveryRepository, "blueprints", "fleet", false, gittest.NewHTTP(t, d.blueprints))+
		fmt.Sprintf(deliveryRepository, "deployments", "fleet", true, url)+fmt.Sprintf(deliveryRepository, "deployments", "results", true, url),
		"apply", "-f", "-")
	d.controller("--status")
	d.controller("--namespace", "results", "--status", "--status-repository", "results/deployments", "--status-package", "shop",
		"--status-commit-interval", "1s")
	d.flux = fluxtest.Start(t, hub.Cluster)
	d.flux.Follow(t, url)
	return d
}

// controller starts waybill controller on the hub.
func (d *delivery) controller(flags ...string) {
	d.Helper()
	args := append([]string{"controller", "--kubeconfig", d.kubeconfig, "--runtime", "inproc", "--poll-interval", "1s", "--log-format", "text"}, flags...)
	d.controllers = append(d.controllers, startProcess(d.TB.(*testing.T), args...))
}

// options are those of bundle-manifestwork from now on.
func (d *delivery) options(lines ...string) { d.Options(append(lines, "rollout: conditions")...) }
