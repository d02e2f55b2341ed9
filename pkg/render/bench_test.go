package render

import (
	"context"
	"fmt"
	"regexp"
	"strings"
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

// BenchmarkNested renders nested packages, each with a function that receives all objects below: the time
// for each received object must not grow with the nesting.
func BenchmarkNested(b *testing.B) {
	for _, n := range []int{50, 100, 200, 300} {
		files := map[string][]byte{}
		for i := range n {
			files[strings.Repeat("s/", i)+"Kptfile"] = fmt.Appendf(nil, "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p%d\npipeline:\n  mutators:\n  - image: relabel\n    configMap:\n      label: a\n", i)
		}
		tree, err := pkgtree.New(files)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("nested=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustRender(b, tree, testFactory{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*(n+1)/2), "ns/received")
		})
	}
}

// BenchmarkFunctions renders one package with many functions.
func BenchmarkFunctions(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000, 8000} {
		tree := packageOf(b, 1, n)
		kptfile, _ := tree.Get("Kptfile")
		tree, err := tree.Apply(map[string][]byte{"Kptfile": regexp.MustCompile("step-[0-9]+").ReplaceAll(kptfile, []byte("step"))})
		if err != nil { // else the object grows with every function
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("functions=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustRender(b, tree, testFactory{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/function")
		})
	}
}
