package main

import (
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/controllers/fluxtest"
	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

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

func newDelivery(t testing.TB) *delivery {
	t.Helper()
	hub := ocmtest.StartHub(t)
	d := &delivery{TB: t, hub: hub, Fleet: ocmtest.NewFleet("shop", "near", "far"),
		blueprints: gittest.NewBare(t), deployments: gittest.NewBare(t)}
	d.near, d.far = hub.Join(t, "near"), hub.Join(t, "far")
	d.uids = []*ocmtest.Identities{d.near.Identities(), d.far.Identities()}
	d.Texts["policy.yaml"] += "  - apiGroup: apps\n    resources: [deployments]\n    statusCollectors: [ready]\n"
	d.Texts["collectors/ready.yaml"] = deliveryCollector
	d.options()
	d.start()
	return d
}

// start prepares hub and repositories, and starts the controllers and Flux.
func (d *delivery) start() {
	d.Helper()
	t, hub := d.TB, d.hub
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
	for _, flags := range deliveryControllers {
		d.controllers = append(d.controllers, d.controller(flags...))
	}
	d.flux = fluxtest.Start(t, hub.Cluster)
	d.flux.Follow(t, url)
}

// deliveryControllers are the flags of both controllers: one has its results on the hub, one on a branch.
var deliveryControllers = [][]string{{"--status"}, {"--namespace", "results", "--status", "--status-repository", "results/deployments",
	"--status-package", "shop", "--status-commit-interval", "1s"}}

// controller starts waybill controller on the hub.
func (d *delivery) controller(flags ...string) *process {
	d.Helper()
	args := append([]string{"controller", "--kubeconfig", d.kubeconfig, "--runtime", "inproc", "--poll-interval", "1s", "--log-format", "text"}, flags...)
	return startProcess(d, args...)
}

// options are those of bundle-manifestwork from now on.
func (d *delivery) options(lines ...string) { d.Options(append(lines, "rollout: conditions")...) }
