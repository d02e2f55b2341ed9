package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest/kpttest"
)

// shop is a package with a subpackage that maps by itself before the package around it does; a webhook was
// recorded, and one file was there before.
var shop = kpttest.Package{Function: "map", Files: `
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - IMAGE
    configPath: probes.yaml
-- probes.yaml --
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata:
  name: probes
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  parentResource: {apiVersion: example.org/v1, kind: Policy}
  inputResources:
  - {apiVersion: v1, resource: services}
  outputResources:
  - {apiVersion: v1, resource: configmaps}
  view: Complete
  statusMode: InPlace
  hooks:
    map:
      cel:
        # as many as there are ports
        expression: |
          input.spec.ports.map(p, {
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": input.metadata.name + "-" + p.name, "labels": {"on": "yes"}},
            "data": {"port": string(p.port), "text": "a: b\n  c # d\n", "empty": ""}})
-- policy.yaml --
apiVersion: example.org/v1
kind: Policy # ours
metadata:
  name: p
  namespace: prod
-- services.yaml --
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: prod
spec:
  ports:
  - name: http
    port: 80
  - name: https
    port: 443
-- db/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: db
pipeline:
  mutators:
  - IMAGE
    configPath: names.yaml
-- db/names.yaml --
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata:
  name: names
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  parentResource: {apiVersion: example.org/v1, kind: Policy}
  inputResources:
  - {apiVersion: v1, resource: services}
  outputResources:
  - {apiVersion: v1, resource: secrets}
  hooks:
    map: {cel: {expression: '[{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": input.metadata.name}, "data": {"n": "MQ=="}}]'}}
-- db/db.yaml --
apiVersion: example.org/v1
kind: Policy
metadata:
  name: q
  namespace: dev
---
apiVersion: v1
kind: Service
metadata:
  name: db
  namespace: dev
spec:
  ports: []
`}

// TestKptRender renders packages within packages with the real kpt.
func TestKptRender(t *testing.T) {
	files := shop.Render(t)
	const probes, names = "map/probes/p/m1-694470d29aaefbee9e3154dee2a7028e2350a87c.yaml", "db/map/names/q/"
	if text := files[probes]; strings.Count(text, "kind: ConfigMap\n") != 2 {
		t.Errorf("two ports are two objects in one file:\n%s", text)
	}
	for _, want := range []string{"kind: Policy # ours", "services:\n      total: 1\n", "configmaps:\n      total: 2\n"} {
		if text := files["policy.yaml"]; !strings.Contains(text, want) {
			t.Errorf("want %q in the parent:\n%s", want, text)
		}
	}
	found := false
	for file := range files {
		found = found || strings.HasPrefix(file, names)
	}
	if !found {
		t.Errorf("what a subpackage makes is in the subpackage: there is no file in %s", names)
	}
}

// TestKptEval runs the program through kpt's eval.
func TestKptEval(t *testing.T) {
	shop.Eval(t, func(t *testing.T, files map[string]string) {
		if text := files["map/probes/p/m1-694470d29aaefbee9e3154dee2a7028e2350a87c.yaml"]; strings.Count(text, "kind: ConfigMap\n") != 2 {
			t.Errorf("two ports are two objects:\n%s", text)
		}
	}, "--fn-config", "probes.yaml")
}
