package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/ocmtest"
)

// refusedPackage has objects that the cluster "shared" accepts, and others that its API server refuses.
const refusedPackage = `
-- refused/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: refused
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/bind-resolve
    configMap:
      resources: Widget.refused.example.com=widgets,Namespaced
  - image: ghcr.io/waybill-dev/bundle-manifestwork
    configMap:
      wdsName: refused-space
-- refused/good.yaml --
apiVersion: v1
kind: Namespace
metadata: {name: refused}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: good, namespace: refused}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: "of-{{.clusterName}}"
  namespace: refused
  annotations: {control.kubestellar.io/expand-templates: "true"}
-- refused/bad.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: invalid, namespace: refused}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: b}}
    spec: {containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: homeless, namespace: refused-nowhere}
---
apiVersion: v1
kind: Secret
metadata: {name: homeless, namespace: refused-nowhere}
stringData: {password: hunter2}
---
apiVersion: refused.example.com/v1
kind: Widget
metadata: {name: unknown, namespace: refused}
-- refused/policy.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: refused}
spec:
  clusterSelectors: [{matchLabels: {site: edge}}]
  downsync:
  - {resources: [namespaces], objectNames: [refused]}
  - {apiGroup: apps, resources: ["*"], namespaces: [refused]}
  - {apiGroup: refused.example.com, resources: [widgets], statusCollectors: [everywhere]}
  - {apiGroup: "", resources: [configmaps, secrets], namespaces: [refused, refused-nowhere]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: everywhere}
spec:
  combinedFields: [{name: clusters, type: COUNT}]
  limit: 20
-- refused/clusters.yaml --
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: shared, labels: {site: edge}}
`

// TestFleetStatusOfAgent shows what a real agent reports: what it applied, and what the API server said about the rest. The reports
// are the same for works that are named as KubeStellar names them.
func TestFleetStatusOfAgent(t *testing.T) {
	hub, member := ocmtest.SharedHub(t), ocmtest.SharedMember(t)
	config := hub.Kubeconfig(t, hub.Admin())
	golden, err := filepath.Abs("testdata/fleet-status")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(writeArchive(t, refusedPackage))
	mustRun(t, "fn", "render", "refused")
	works := ocmtest.Works(t, "refused/clusters")
	agent := hub.GitOps()
	elsewhere := works[0].DeepCopy() // of another package, for a cluster without an agent
	elsewhere.SetNamespace(hub.Namespace(t))
	elsewhere.SetLabels(map[string]string{"transport.kubestellar.io/originWdsName": "git", "transport.kubestellar.io/originOwnerReferenceBindingKey": "other"})
	must(t, hub.Apply(t, elsewhere))
	sent := func(t *testing.T, works []*unstructured.Unstructured) {
		t.Helper()
		agent.Push(t, works...)
		agent.Settle(t)
		for _, format := range []string{"table", "json", "yaml"} {
			r := runCLI(t, "fleet", "status", "refused", "--kubeconfig", config, "-o", format)
			if r.code != exitDone || strings.Contains(r.stdout+r.stderr, "hunter2") || strings.Contains(r.stderr, `"refused-space" are left out`) {
				t.Errorf("%s: exit code %d, %s, %s", format, r.code, r.stdout, r.stderr)
			}
			checkGolden(t, filepath.Join(golden, "agent."+format+".txt"), r.stdout)
		}
	}
	sent(t, works)
	if member.Get(t, "v1", "ConfigMap", "refused", "of-shared") == nil {
		t.Error("the template is not expanded in the cluster")
	}
	for reason, name := range map[string]string{
		"names of UIDs":        "0d4c0bbb-5cf5-44d6-9d8e-%012d-refused-space-7e1ffa02-a1c3-4b77-b3e3-31b1ab9a4c0d",
		"names of 188 bytes":   strings.Repeat("a", 175) + "-%012d",
		"names of other tools": "refused-space--%d",
	} {
		t.Run(reason, func(t *testing.T) { sent(t, oneByOne(t, works, name)) })
	}
}

// oneByOne are the works with one object each, named by a format of a number.
func oneByOne(t *testing.T, works []*unstructured.Unstructured, name string) (out []*unstructured.Unstructured) {
	t.Helper()
	for _, w := range works {
		manifests, _, err := unstructured.NestedSlice(w.Object, "spec", "workload", "manifests")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range manifests {
			one := w.DeepCopy()
			one.SetName(fmt.Sprintf(name, len(out)))
			if err := unstructured.SetNestedSlice(one.Object, []any{m}, "spec", "workload", "manifests"); err != nil {
				t.Fatal(err)
			}
			out = append(out, one)
		}
	}
	return out
}
