package render

import (
	"context"
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// packageOf makes a package of n Deployments, one a file, and a pipeline of the given functions.
func packageOf(b *testing.B, n, functions int) pkgtree.Tree {
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: bench\n"
	if functions > 0 {
		kptfile += "pipeline:\n  mutators:\n"
	}
	for i := range functions {
		kptfile += fmt.Sprintf("  - image: relabel\n    configMap:\n      label: step-%d\n", i)
	}
	files := map[string][]byte{"Kptfile": []byte(kptfile)}
	for i := range n {
		files[fmt.Sprintf("apps/app-%04d.yaml", i)] = fmt.Appendf(nil, `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-%[1]d
  namespace: shop
  labels:
    app: app-%[1]d
spec:
  replicas: 2
  selector:
    matchLabels:
      app: app-%[1]d
  template:
    metadata:
      labels:
        app: app-%[1]d
    spec:
      containers:
      - name: main
        image: registry.example.com/app-%[1]d:1.0.0 # pinned
        ports:
        - containerPort: 8080
`, i)
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}

// BenchmarkRender renders packages of objects that every function changes, in-process, and through
// the ResourceList protocol without the cost of starting a process.
func BenchmarkRender(b *testing.B) {
	for _, functions := range []int{0, 1, 5} {
		for _, n := range []int{10, 100, 1000} {
			tree := packageOf(b, n, functions)
			for name, f := range map[string]runner.Factory{"inproc": testFactory{}, "protocol": testFactory{through: true}} {
				if functions == 0 && name == "protocol" {
					continue
				}
				b.Run(fmt.Sprintf("%s/functions=%d/objects=%d", name, functions, n), func(b *testing.B) {
					checkIdempotent(b, mustRender(b, tree, f), f)
					b.ReportAllocs()
					for b.Loop() {
						mustRender(b, tree, f)
					}
					b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "objects/s")
				})
			}
		}
	}
}

func mustRender(b *testing.B, tree pkgtree.Tree, f runner.Factory) pkgtree.Tree {
	res, err := Render(context.Background(), tree, Options{Functions: f})
	if err != nil {
		b.Fatal(err)
	}
	return res.Tree
}
