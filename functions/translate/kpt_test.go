package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn/fntest/kpttest"
)

// web is a package whose Service has an earlier Translation that it no longer yields, and one of
// another object that is not there.
var web = kpttest.Package{Function: "translate", Files: `
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
pipeline:
  mutators:
  - IMAGE
    configMap:
      global: "false"
      converters: service
      view: Complete
-- app/web.yaml --
apiVersion: v1
kind: Service
metadata:
  name: web # the shop
  namespace: default
spec:
  clusterIP: 10.96.0.10
  ports:
  - name: http
    port: 80
-- translations/service/default/old.yaml --
apiVersion: midonet.org/v1
kind: Translation
metadata:
  name: service-port.4.old
  namespace: default
  finalizers:
  - midonet.org/deleter
  labels:
    waybill.dev/map-key: m1-8daebaa4415a7302d1adae80d5bc2630e31b03b3
  annotations:
    waybill.dev/controller: 'translate'
    waybill.dev/edge: 'out'
    waybill.dev/generated-by: 'translate'
    waybill.dev/input: '/Service/default/web'
    waybill.dev/origin: '/Service/default/web'
    waybill.dev/owner: '/Service/default/web'
resources:
- kind: Rule
  parent: 8ba7d5a7-f323-53d4-8522-ddb2c7158ef0
  body: '{"id":"00000000-a6a9-52d7-9967-828321b356ad","type":"jump"}'
-- translations/by-hand.yaml --
apiVersion: midonet.org/v1
kind: Translation
metadata:
  name: by-hand
  namespace: default
resources:
- kind: Chain
  parent: ""
  body: '{"id":"00000000-f323-53d4-8522-ddb2c7158ef0"}'
`}

// TestKptRender renders the package with the real kpt.
func TestKptRender(t *testing.T) { checkWeb(t, web.Render(t)) }

// TestKptEval runs the program through kpt's eval on the package.
func TestKptEval(t *testing.T) {
	web.Eval(t, checkWeb, "--", "global=false", "converters=service", "view=Complete")
}

// checkWeb wants the Service's Translations, and of others only the one that was written by hand.
func checkWeb(t *testing.T, files map[string]string) {
	t.Helper()
	want := []string{
		"Kptfile", "app/web.yaml", "translations/by-hand.yaml",
		"translations/service/default/service-port.4.default-web-http-10.96.0.10-6-80-e7fa6be6c8989e75aa153db5a4f4aeabb298fbd5.yaml",
		"translations/service/default/service.4.web.yaml",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if !strings.Contains(files["app/web.yaml"], "name: web # the shop") {
		t.Errorf("the Service was changed:\n%s", files["app/web.yaml"])
	}
	if text := files[want[4]]; !strings.Contains(text, `body: '{"id":"98e99174-edfa-542e-88e6-3ca9a6215ea8"`) {
		t.Errorf("the chain is not there:\n%s", text)
	}
}
