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
