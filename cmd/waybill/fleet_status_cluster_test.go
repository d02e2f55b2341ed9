package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// hubKinds are the kinds of a hub that report, as far as a reader needs them.
const hubKinds = `
-- workstatuses.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: workstatuses.control.kubestellar.io}
spec:
  group: control.kubestellar.io
  scope: Namespaced
  names: {kind: WorkStatus, plural: workstatuses, singular: workstatus}
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
-- manifestworks.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: manifestworks.work.open-cluster-management.io}
spec:
  group: work.open-cluster-management.io
  scope: Namespaced
  names: {kind: ManifestWork, plural: manifestworks, singular: manifestwork}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

const hubReports = `apiVersion: v1
kind: Namespace
metadata: {name: edge1}
---
apiVersion: v1
kind: Namespace
metadata: {name: edge3}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: web, namespace: edge1}
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status: {readyReplicas: 7, phase: new}
`

const hubWorks = `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: {name: shop, namespace: edge3}
spec:
  manifestConfigs:
  - resourceIdentifier: {group: apps, resource: deployments, namespace: shop, name: web}
    feedbackRules: [{type: JSONPaths, jsonPaths: [{name: ready, path: .status.readyReplicas}]}]
status:
  resourceStatus:
    manifests:
    - resourceMeta: {ordinal: 0, group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
      conditions: []
      statusFeedback: {values: [{name: ready, fieldValue: {type: Integer, integer: 5}}]}
`

// TestFleetStatusOfHub asks a real API server for reports: before it knows any kind that reports, when it
// knows one, and when it knows both.
func TestFleetStatusOfHub(t *testing.T) {
	c := clustertest.Start(t)
	config := c.Kubeconfig(t, c.Admin())
	t.Chdir(writeArchive(t, shopFleet+strings.ReplaceAll(hubKinds, "\n-- ", "\n-- kinds/")))
	apply := func(text string) {
		t.Helper()
		if out, err := c.Kubectl(t, c.Admin(), text, "apply", "-f", "-"); err != nil {
			t.Fatal(err, out)
		}
	}
	status := func(args ...string) cliRun {
		t.Helper()
		return runCLI(t, append([]string{"fleet", "status", "shop", "--kubeconfig", config}, args...)...)
	}
	if r := status(); r.code != exitFailed || r.stdout != "" || !strings.Contains(r.stderr, "error: the cluster is no hub") {
		t.Errorf("a cluster without such kinds: %d %q %q", r.code, r.stdout, r.stderr)
	}
	kinds := writeArchive(t, hubKinds[:strings.Index(hubKinds, "-- manifestworks")])
	c.InstallCRDs(t, kinds)
	apply(hubReports)
	r := status()
	if want := "Deployment shop/web (shop): 1 of 3 clusters reported, not edge2, edge3\n"; r.code != exitDone || !strings.Contains(r.stdout, want) {
		t.Errorf("reports in files do not count: %d %q %q", r.code, r.stdout, r.stderr)
	}
	if want := "the hub does not know manifestworks.work.open-cluster-management.io\n"; !strings.Contains(r.stderr, want) {
		t.Errorf("want %q, got %q", want, r.stderr)
	}
	c.InstallCRDs(t, "kinds")
	apply(hubWorks)
	for reason, want := range map[string]string{
		"both kinds report":                       "2 of 3 clusters reported, not edge2\n",
		"values are those of the hub":             `{"phase":"new","readyReplicas":7}`,
		"a work reports what its rules asked for": `{"readyReplicas":5}`,
	} {
		if r := status(); r.code != exitDone || !strings.Contains(r.stdout, want) || strings.Contains(r.stderr, "hub") {
			t.Errorf("%s: want %q, got %d %q %q", reason, want, r.code, r.stdout, r.stderr)
		}
	}
	if r := status("-n", "edge3"); r.code != exitDone || !strings.Contains(r.stdout, "1 of 3 clusters reported, not edge1, edge2\n") {
		t.Errorf("one namespace: %d %q %q", r.code, r.stdout, r.stderr)
	}
	nobody := c.Kubeconfig(t, c.ServiceAccount(t, "edge1", "nobody"))
	if r := runCLI(t, "fleet", "status", "shop", "--kubeconfig", nobody); r.code != exitFailed || r.stdout != "" || !strings.Contains(r.stderr, "error: list workstatuses.control.kubestellar.io: ") {
		t.Errorf("without rights: %d %q %q", r.code, r.stdout, r.stderr)
	}
}
