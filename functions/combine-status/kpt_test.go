package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn/fntest/kpttest"
)

// shop is a package whose objects get their status back, and which has an earlier CombinedStatus that
// nobody asks for.
var shop = kpttest.Package{Function: "combine-status", Files: `
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - IMAGE
    configMap:
      writeStatus: "true"
-- app/web.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # the shop
  namespace: shop
spec:
  replicas: 3
-- bindings/shop.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata:
  name: shop
spec:
  workload:
    namespaceScope:
    - group: apps
      version: v1
      resource: deployments
      namespace: shop
      name: web
      resourceVersion: ""
      statusCollectors:
      - ready
      wantMultiWECReportedState: true
  destinations:
  - clusterId: edge1
  - clusterId: edge2
-- collectors.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata:
  name: ready
spec:
  select:
  - name: cluster
    def: inventory.name
  - name: ready
    def: returned.status.readyReplicas
  limit: 20
-- reports.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata:
  name: web
  namespace: edge1
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status:
  readyReplicas: 2
  replicas: 3
---
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata:
  name: web
  namespace: edge2
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status:
  readyReplicas: 3
  replicas: 3
-- status/shop/shop/deployment_old.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: CombinedStatus
metadata:
  name: old.shop
  namespace: shop
  annotations:
    waybill.dev/generated-by: 'combine-status'
`}

// TestKptRender renders the package with the real kpt.
func TestKptRender(t *testing.T) { checkShop(t, shop.Render(t)) }

// TestKptEval runs the program through kpt's eval on the package.
func TestKptEval(t *testing.T) { shop.Eval(t, checkShop, "--", "writeStatus=true") }

// checkShop wants the status where people look for it, and what stood there before gone.
func checkShop(t *testing.T, files map[string]string) {
	t.Helper()
	want := []string{"Kptfile", "app/web.yaml", "bindings/shop.yaml", "collectors.yaml", "reports.yaml", "status/shop/shop/deployment_web.yaml"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for file, text := range map[string]string{
		"status/shop/shop/deployment_web.yaml": `float: "3"`, "app/web.yaml": "name: web # the shop",
	} {
		if !strings.Contains(files[file], text) {
			t.Errorf("%s does not have %q:\n%s", file, text, files[file])
		}
	}
	if !strings.Contains(files["app/web.yaml"], "  readyReplicas: 2\n") {
		t.Errorf("the status is not there:\n%s", files["app/web.yaml"])
	}
}
