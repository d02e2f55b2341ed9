package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn/fntest/kpttest"
)

// nested is a package with a subpackage that has points and context objects, too, and injects by
// itself before the package around it does.
var nested = kpttest.Package{Function: "inject-config", Files: `
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: upf
pipeline:
  mutators:
  - IMAGE
    configPath: inject.yaml
-- inject.yaml --
apiVersion: fn.waybill.dev/v1alpha1
kind: InjectConfig
metadata:
  name: inject
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  injectors:
  - kind: Site
    name: lyon-2
-- site.yaml --
apiVersion: infra.example/v1
kind: Site
metadata:
  name: outer
  annotations:
    kpt.dev/config-injection: required
spec:
  cidr: 0.0.0.0/0
-- net/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: net
pipeline:
  mutators:
  - IMAGE
    configMap:
      injectors: |
        - name: lyon-3
-- net/site.yaml --
apiVersion: infra.example/v1
kind: Site
metadata:
  name: inner # of the network
  annotations:
    kpt.dev/config-injection: required
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  annotations:
    kpt.dev/config-injection: optional
-- net/context.yaml --
apiVersion: infra.example/v1
kind: Site
metadata:
  name: lyon-2
  annotations:
    config.kubernetes.io/local-config: "true"
    waybill.dev/context: "true"
spec:
  cidr: 10.2.0.0/16
---
apiVersion: infra.example/v1
kind: Site
metadata:
  name: lyon-3
  annotations:
    config.kubernetes.io/local-config: "true"
    waybill.dev/context: "true"
spec:
  cidr: 10.3.0.0/16
`}

// TestKptRender renders packages within packages with the real kpt.
func TestKptRender(t *testing.T) {
	inner := nested.Render(t)["net/site.yaml"]
	if !strings.Contains(inner, "10.2.0.0/16") || !strings.Contains(inner, "# of the network") {
		t.Errorf("the package around it injects last, and comments stay:\n%s", inner)
	}
}

// TestKptEval runs the program through kpt's eval on the whole package, which has no pipelines then.
func TestKptEval(t *testing.T) {
	nested.Eval(t, func(t *testing.T, files map[string]string) {
		got := map[string]int{}
		for _, file := range []string{"Kptfile", "site.yaml", "net/Kptfile", "net/site.yaml"} {
			got[file] = strings.Count(files[file], "lyon-2") + strings.Count(files[file], "conditionType: ")
		}
		want := map[string]int{"Kptfile": 4, "site.yaml": 1, "net/Kptfile": 0, "net/site.yaml": 1}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("sources and gates named (-want +got):\n%s", diff)
		}
	}, "--fn-config", "inject.yaml")
}
