package local_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// scaled is a fleet of n variants of a package of 20 objects, one function in its pipeline and one
// that every variant adds.
func scaled(b *testing.B, n int) *fleet {
	b.Helper()
	f := fleetOf(b, n)
	files := map[string]*string{}
	for i := range 18 { // beside app.yaml and site.yaml
		files[fmt.Sprintf("shop/part-%02d.yaml", i)] = text(part(i))
	}
	f.release(2, files)
	gittest.Git(b, f.path("blueprints.git"), "tag", "-f", "shop/v1", "shop/v2")
	gittest.Git(b, f.path("blueprints.git"), "tag", "-d", "shop/v2")
	return f
}

// part is a Deployment of a usual size.
func part(i int) string {
	return strings.ReplaceAll(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: part-N # one of many
  labels:
    app: part-N
spec:
  replicas: 2
  selector:
    matchLabels:
      app: part-N
  template:
    metadata:
      labels:
        app: part-N
    spec:
      containers:
      - name: main
        image: registry.example/part-N:1.4.2
        ports:
        - containerPort: 8080
        env:
        - name: LEVEL
          value: info
        resources:
          requests:
            cpu: 100m
            memory: 64Mi
`, "N", fmt.Sprint(i))
}

// BenchmarkScale is a whole reconcile of many variants of a package of 20 objects.
func BenchmarkScale(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("drafts=%d", n), func(b *testing.B) {
			f := scaled(b, n)
			beginning := f.path("beginning")
			if err := os.CopyFS(beginning, os.DirFS(f.path("deployments.git"))); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				c := crash{fleet: f}
				c.begin()
				b.StartTimer()
				check(b, packagevariant.Created, f.reconcile())
			}
		})
		b.Run(fmt.Sprintf("unchanged=%d", n), func(b *testing.B) {
			f := scaled(b, n)
			check(b, packagevariant.Created, f.reconcile())
			b.ReportAllocs()
			for b.Loop() {
				check(b, packagevariant.Unchanged, f.reconcile())
			}
		})
	}
}
