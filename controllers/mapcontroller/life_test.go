package mapcontroller_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// copies makes a Probe for each entry of each ConfigMap with the label.
const copies = `
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata: {name: copies}
spec:
  parentResource: {apiVersion: map.example.org/v1, resource: policies}
  inputResources: [{apiVersion: v1, resource: configmaps, labelSelector: {matchLabels: {input: "yes"}}}]
  outputResources: [{apiVersion: map.example.org/v1, resource: probes}]
  hooks:
    map:
      cel:
        expression: |
          has(input.data) ? input.data.map(k, {
            "apiVersion": "map.example.org/v1", "kind": "Probe",
            "metadata": {"name": parent.metadata.name + "-" + input.metadata.name + "-" + k},
            "spec": {"value": input.data[k], "interval": parent.spec.interval, "big": 9007199254740993}}) : []
`

const policy = `
apiVersion: map.example.org/v1
kind: Policy
metadata: {name: p, namespace: NAMESPACE}
spec: {interval: 9007199254740993, selector: {matchLabels: {color: red}}}
`

// input creates a ConfigMap that copies selects, or updates it.
func (w *environment) input(name, data string) {
	w.Helper()
	w.put(fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: NAMESPACE, labels: {input: 'yes', color: red}}, data: {%s}}", name, data))
}

func probe(value string) map[string]any {
	return map[string]any{"value": value, "interval": int64(9007199254740993), "big": int64(9007199254740993)}
}

func TestCreateUpdateDelete(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one, w: two")
	w.put(copies)
	w.start()
	w.awaitProbes("objects that existed before the controller", map[string]any{"p-a-x": probe("one"), "p-a-w": probe("two")})
	w.awaitReady("copies", "True Mapping")
	w.input("b", "z: three")
	w.input("a", "x: changed")
	w.awaitProbes("an input more, and one that changed", map[string]any{"p-a-x": probe("changed"), "p-b-z": probe("three")})
	w.eventually("the parent has a status", func() string {
		return cmp.Diff("map[inputs:map[configmaps:map[total:2]] observedGeneration:1 outputs:map[probes:map[detached:0 total:2]]]",
			w.at(group+"/v1", "Policy", "p", "status"))
	})
	w.edit("v1", "ConfigMap", "b", `{"metadata":{"labels":{"color":"blue"}}}`)
	w.awaitProbes("one is no longer selected", map[string]any{"p-a-x": probe("changed")})
	w.remove("v1", "ConfigMap", "a")
	w.input("c", "k: v")
	w.awaitProbes("one is gone", map[string]any{"p-c-k": probe("v")})
	w.edit(group+"/v1", "Policy", "p", `{"spec":{"selector":null}}`)
	w.awaitProbes("everything is selected", map[string]any{"p-b-z": probe("three"), "p-c-k": probe("v")})
	w.remove(group+"/v1", "Probe", "p-b-z")
	w.awaitProbes("an output that another client deletes is created again", map[string]any{"p-b-z": probe("three"), "p-c-k": probe("v")})
	if got := w.warnings("p"); len(got) > 0 {
		t.Errorf("nothing went wrong, but there are events: %v", got)
	}
}
