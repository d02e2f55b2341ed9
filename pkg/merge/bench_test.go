package merge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const benchDeployment = `# The frontend.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  namespace: shop
  labels:
    app: web
spec:
  replicas: 1
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
        image: reg.example/web:v1 # kpt-set: ${image}
        args: ["--port", "8080"]
        env:
        - name: MODE
          value: fast
        - name: LEVEL
          value: info
        ports:
        - containerPort: 8080
          protocol: TCP
        resources:
          limits:
            cpu: 100m
            memory: 100Mi
        readinessProbe:
          httpGet:
            path: /ready
            port: 8080
      - name: proxy
        image: reg.example/proxy:v3
      volumes:
      - name: data
        emptyDir: {}
`

// benchTrees are n Deployments, one a file, each changed upstream and here, in different places.
func benchTrees(t testing.TB, n int) (base, theirs, ours pkgtree.Tree) {
	t.Helper()
	edit := func(pairs ...string) pkgtree.Tree {
		files := map[string][]byte{"Kptfile": []byte(plainKptfile)}
		for i := range n {
			text := strings.NewReplacer(pairs...).Replace(fmt.Sprintf(benchDeployment, i))
			files[fmt.Sprintf("apps/%03d/web-%d.yaml", i%100, i)] = []byte(text)
		}
		out, err := pkgtree.New(files)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	return edit(), edit("web:v1", "web:v2", "value: info", "value: warn"), AddMarks(edit("replicas: 1", "replicas: 4", "      volumes:", "      - name: side\n        image: s:1\n      volumes:"))
}

func BenchmarkPackages(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			base, theirs, ours := benchTrees(b, n)
			if n <= 100 {
				checkPackageLaws(b, base, theirs, ours, ResourceMerge)
			}
			b.ReportAllocs()
			for b.Loop() {
				r, err := Packages(base, theirs, ours, Options{})
				if err != nil {
					b.Fatal(err)
				}
				if len(r.Conflicts) > 0 || r.Tree.Len() != n+1 {
					b.Fatalf("%d conflicts, %d files", len(r.Conflicts), r.Tree.Len())
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "resources/s")
		})
	}
}

// BenchmarkChanges compares n Deployments with as many that differ in four places each.
func BenchmarkChanges(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			_, from, to := benchTrees(b, n)
			if n <= 100 {
				checkChangeLaws(b, from, to)
			}
			b.ReportAllocs()
			for b.Loop() {
				if got := changes(b, from, to); len(got) != 4*n {
					b.Fatalf("%d changes", len(got))
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "resources/s")
		})
	}
}
