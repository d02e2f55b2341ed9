package bundling

import (
	"context"
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// BenchmarkBundle ships 100 Deployments to 1000 clusters. The same fleet, smaller, has passed the
// laws and OCM's rules; of the large one a few works are compared with the rules.
func BenchmarkBundle(b *testing.B) {
	for _, templated := range []int{0, 10, 100} {
		b.Run(fmt.Sprintf("objects=100/clusters=1000/templated=%d%%", templated), func(b *testing.B) {
			small := benchInput(b, 20, 3, templated)
			fntest.CheckLaws(b, ocmcheck.Watch(b, Function), small, nil)
			checkedWorks(b, Function.Apply(context.Background(), small))
			in := benchInput(b, 100, 1000, templated)
			first := Function.Apply(context.Background(), in)
			works, bytes := checkedWorks(b, first)
			b.ReportAllocs()
			for b.Loop() {
				Function.Apply(context.Background(), in)
			}
			b.ReportMetric(float64(works)*float64(b.N)/b.Elapsed().Seconds(), "works/s")
			b.ReportMetric(float64(bytes), "written-bytes")
		})
	}
}

// BenchmarkBundleAgain is the usual case: works are there already and nothing changed.
func BenchmarkBundleAgain(b *testing.B) {
	in := benchInput(b, 100, 1000, 10)
	first := Function.Apply(context.Background(), in)
	works, _ := checkedWorks(b, first)
	in.Items = first.Items
	b.ReportAllocs()
	for b.Loop() {
		Function.Apply(context.Background(), in)
	}
	b.ReportMetric(float64(works)*float64(b.N)/b.Elapsed().Seconds(), "works/s")
}

// checkedWorks returns how many works out has and, going by a sample, how many bytes they take in
// files. The sample is compared with OCM's rules.
func checkedWorks(b *testing.B, out *fn.Output) (count, bytes int) {
	const every = 100
	works := ocmcheck.Works(out.Items)
	var sample []*krm.Object
	for i := 0; i < len(works); i += every {
		sample = append(sample, works[i])
	}
	if faults := ocmcheck.Violations(sample, ocmcheck.DefaultManifestLimit); len(faults) > 0 || len(works) == 0 {
		b.Fatalf("%d works; %v; %v", len(works), faults, out.Results)
	}
	data, err := krm.Write(sample)
	if err != nil {
		b.Fatal(err)
	}
	return len(works), len(data) * len(works) / len(sample)
}

func benchInput(b *testing.B, objects, clusters, percentTemplated int) *fn.Input {
	in := &fn.Input{}
	entries, destinations := "", ""
	for i := range objects {
		annotations := ""
		if i*100 < percentTemplated*objects {
			annotations = "\n  annotations: {control.kubestellar.io/expand-templates: \"true\"}"
		}
		add(b, in, fmt.Sprintf(benchDeployment, i, annotations, i))
		entries += fmt.Sprintf("    - {group: apps, version: v1, resource: deployments, namespace: shop, name: web-%d, resourceVersion: \"\"}\n", i)
	}
	for i := range clusters {
		add(b, in, fmt.Sprintf("apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: edge-%d\n  labels: {region: r%d}\n", i, i%7))
		destinations += fmt.Sprintf("  - clusterId: edge-%d\n", i)
	}
	add(b, in, "apiVersion: control.kubestellar.io/v1alpha1\nkind: Binding\nmetadata:\n  name: shop\nspec:\n  workload:\n    namespaceScope:\n"+entries+"  destinations:\n"+destinations)
	return in
}

func add(b *testing.B, in *fn.Input, text string) {
	o := fntest.Parse(b, "bench.yaml", []byte(text))[0]
	o.SetPath(fmt.Sprintf("item-%d.yaml", len(in.Items)), 0)
	in.Items = append(in.Items, o)
}

const benchDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  namespace: shop
  name: web-%d%s
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: "mirror.example/{{.region}}/web:1.%d"
        env: [{name: CLUSTER, value: "{{.clusterName}}"}, {name: MODE, value: prod}]
        ports: [{containerPort: 8080, name: http}]
        resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 128Mi}}
`
