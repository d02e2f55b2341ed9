package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest/kpttest"
)

// shop is a package with both sides, a package below it, comments, several documents in a file, and rules.
var shop = kpttest.Package{Function: "sync", Files: `
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - IMAGE
    configPath: published.yaml
-- published.yaml --
apiVersion: waybill.dev/v1alpha1
kind: PublishedResource
metadata:
  name: orders
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  resource: {apiGroup: apps.provider.example, kind: ShopOrder}
  projection: {group: shop.example.org, kind: Order}
  cluster: east
  mutation:
    spec:
    # gold is three
    - cel: {path: spec.replicas, expression: 'self.spec.tier == "gold" ? 3 : 1'}
  related:
  - {identifier: creds, origin: service, kind: Secret, object: {reference: {path: status.secretName}}}
-- crd.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shoporders.apps.provider.example
spec:
  group: apps.provider.example
  scope: Namespaced
  names: {kind: ShopOrder, plural: shoporders}
  versions:
  - {name: v1, served: true, storage: true}
-- source/orders.yaml --
apiVersion: shop.example.org/v1
kind: Order # theirs
metadata:
  name: orders
  namespace: retail
spec:
  tier: gold
  # as large as it gets
  big: 9007199254740993
  text: "a: b\n  c # d\n"
---
apiVersion: shop.example.org/v1
kind: Order
metadata:
  name: carts
  namespace: retail
spec: {tier: silver}
status: {secretName: s1}
-- source/team/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: team
-- source/team/orders.yaml --
apiVersion: shop.example.org/v1
kind: Order
metadata:
  name: team
  namespace: retail
spec: {tier: gold}
-- destination/s1.yaml --
apiVersion: v1
kind: Secret
metadata:
  name: s1
  namespace: east
data: {password: czNjcjN0}
`}

// TestKptRender renders the package with the real kpt.
func TestKptRender(t *testing.T) { checkShop(t, shop.Render(t)) }

// TestKptEval runs the program through kpt's eval.
func TestKptEval(t *testing.T) { shop.Eval(t, checkShop, "--fn-config", "published.yaml") }

func checkShop(t *testing.T, files map[string]string) {
	t.Helper()
	copies := ""
	for file, text := range files {
		if strings.HasPrefix(file, "destination/east/shoporder_") {
			copies += text
		}
	}
	if strings.Count(copies, "kind: ShopOrder\n") != 3 {
		t.Errorf("want three copies of three orders, one of them in a subpackage:\n%s", copies)
	}
	for _, want := range []string{"big: 9007199254740993\n", "replicas: 3\n", "replicas: 1"} {
		if !strings.Contains(copies, want) {
			t.Errorf("want %q in the copies:\n%s", want, copies)
		}
	}
	if text := files["source/orders.yaml"]; !strings.Contains(text, "kind: Order # theirs\n") || strings.Contains(text, "secretName") {
		t.Errorf("only the status of a source may change:\n%s", text)
	}
}
