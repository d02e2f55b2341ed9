package krm

import (
	"fmt"
	"strings"
	"testing"
)

// fleet is a file of n Deployments with comments, as people write them.
func fleet(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString("---\n")
		}
		fmt.Fprintf(&b, `# web number %[1]d
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  namespace: shop
  labels: {app: web, tier: front}
spec:
  replicas: 3 # per cluster
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: nginx:1.27
        ports:
        - containerPort: 8080
        env:
        - name: NUMBER
          value: "%[1]d"
        resources:
          limits:
            cpu: 500m
            memory: 128Mi
`, i)
	}
	return b.String()
}

var sizes = []int{10, 100, 1000}

func BenchmarkRead(b *testing.B) {
	for _, n := range sizes {
		text := fleet(n)
		if got := write(b, read(b, text)...); got != text {
			b.Fatal("the benchmark must read a file that keeps its bytes")
		}
		b.Run(fmt.Sprintf("objects=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if objs, err := Read("f.yaml", []byte(text), Limits{}); err != nil || len(objs) != n {
					b.Fatal(len(objs), err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "objects/s")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, n := range sizes {
		text := fleet(n)
		objs := read(b, text)
		b.Run(fmt.Sprintf("objects=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if got, err := Write(objs); err != nil || len(got) != len(text) {
					b.Fatal(len(got), err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "objects/s")
		})
	}
}

// BenchmarkPlainDocument reads what a render and a translation read most.
func BenchmarkPlainDocument(b *testing.B) {
	deployment := "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\n  labels:\n    app.kubernetes.io/name: web\n    tier: \"1\"\n" +
		"spec:\n  replicas: 3\n  selector:\n    matchLabels:\n      app: web\n  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n" +
		"      containers:\n      - name: web\n        image: registry.example.com/shop/web:v1.27\n        ports:\n        - containerPort: 8080\n          name: http\n" +
		"        env:\n        - name: NUMBER\n          value: '12'\n        - name: LEVEL\n          value: info\n        readinessProbe:\n          httpGet:\n            path: healthz\n            port: http\n"
	inventory := "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: inventory\n  namespace: shop\nspec:\n  resources:\n"
	for i := 0; len(inventory) < 60_000; i++ {
		inventory += fmt.Sprintf("  - group: apps\n    kind: Deployment\n    name: web-%d\n    namespace: shop\n", i)
	}
	for name, text := range map[string]string{"deployment": deployment, "inventory": inventory} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if plainDocument([]byte(text)) == nil {
					b.Fatal("is not plain")
				}
			}
		})
	}
}
