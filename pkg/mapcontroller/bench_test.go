package mapcontroller_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

const probes = `
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata: {name: probe-per-service}
spec:
  parentResource: {apiVersion: monitoring.example.org/v1, kind: ProbePolicy}
  inputResources: [{apiVersion: v1, resource: services}]
  outputResources: [{apiVersion: monitoring.example.org/v1, kind: Probe}]
  view: Complete
  hooks:
    map:
      cel:
        expression: |
          input.spec.ports.map(p, {
            "apiVersion": "monitoring.example.org/v1", "kind": "Probe",
            "metadata": {"name": input.metadata.name + "-" + p.name, "namespace": input.metadata.namespace},
            "spec": {"port": p.port, "interval": parent.spec.interval}})
`

func manyServices(t testing.TB, n int) []*krm.Object {
	var b strings.Builder
	b.WriteString("apiVersion: monitoring.example.org/v1\nkind: ProbePolicy\nmetadata: {name: default, namespace: prod}\nspec: {interval: 30s}\n")
	for i := range n {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Service\nmetadata: {name: web-%05d, namespace: prod, labels: {app: web}}\n"+
			"spec: {ports: [{name: http, port: 80}, {name: https, port: 443}, {name: metrics, port: 9090}]}\n", i)
	}
	objects := read(t, b.String())
	for i, o := range objects {
		o.SetPath("services.yaml", i)
	}
	return objects
}

// BenchmarkMap has 2,000 inputs with three outputs each: it creates all, changes nothing, and then changes one.
func BenchmarkMap(b *testing.B) {
	const inputs = 2_000
	function, config := mapcontroller.Function(), read(b, probes)[0]
	fntest.CheckLaws(b, function, &fn.Input{Config: config, Items: manyServices(b, 20)}, nil)
	first := manyServices(b, inputs)
	again := function.Apply(b.Context(), &fn.Input{Config: config, Items: first}).Items
	changed := append([]*krm.Object(nil), again...)
	changed[7] = changed[7].DeepCopy()
	krm.SetField(changed[7].Lookup("spec", "ports").Content[0], "port", krm.StringNode("81"))
	for name, items := range map[string][]*krm.Object{"first": first, "again": again, "one-change": changed} {
		b.Run(fmt.Sprintf("inputs=%d/%s", inputs, name), func(b *testing.B) {
			in := &fn.Input{Config: config, Items: items}
			if out := function.Apply(b.Context(), in); out.Failed() || len(out.Items) != 1+4*inputs {
				b.Fatalf("%d items; %v", len(out.Items), out.Results)
			}
			b.ReportAllocs()
			for b.Loop() {
				function.Apply(b.Context(), in)
			}
			b.ReportMetric(float64(inputs)*float64(b.N)/b.Elapsed().Seconds(), "inputs/s")
		})
	}
}
