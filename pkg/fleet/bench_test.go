package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// benchFleet is a fleet of works of 100 objects each, of which ten are different in every cluster. Object edit of all, or
// every one for -1, has that value.
func benchFleet(b *testing.B, clusters, edit int, value string) pkgtree.Tree {
	b.Helper()
	files := make(map[string][]byte, clusters)
	for c := range clusters {
		var items []string
		for i := range 100 {
			own, edited := "edge", "3"
			if i < 10 {
				own = fmt.Sprintf("edge-%d", c)
			}
			if edit == i || edit < 0 {
				edited = value
			}
			items = append(items, fmt.Sprintf(benchDeployment, i, edited, i, own))
		}
		files[fmt.Sprintf("clusters/edge-%d/shop/manifestwork-0.yaml", c)] = []byte(fmt.Sprintf(benchHead, c) + indented(items, "      ", "    - "))
	}
	return treeOf(b, files)
}

const benchHead = workHead + "  namespace: edge-%d\n  name: shop-git-0\nspec:\n  workload:\n    manifests:\n"

const benchDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  namespace: shop
  name: web-%d
spec:
  replicas: %s
  selector:
    matchLabels:
      app: web
  template:
    spec:
      containers:
      - name: web
        image: mirror.example.com/web:1.%d
        env:
        - name: CLUSTER
          value: %s
`

// BenchmarkPreview compares two rendered fleets: nothing, one field of an object that is the same everywhere, one field of
// an object that is different in every cluster, and one field of every object.
func BenchmarkPreview(b *testing.B) {
	for _, clusters := range []int{100, 1000, 10_000} {
		for name, edit := range map[string]int{"nothing": 1000, "shared": 50, "templated": 5, "all": -1} {
			if clusters == 10_000 && name == "all" {
				continue // a million changes take a while to check
			}
			b.Run(fmt.Sprintf("clusters=%d/%s", clusters, name), func(b *testing.B) {
				before, after := benchFleet(b, clusters, edit, "3"), benchFleet(b, clusters, edit, "4")
				want := map[string]int{"nothing": 0, "shared": clusters, "templated": clusters, "all": 100 * clusters}[name]
				b.ReportAllocs()
				for b.Loop() {
					p := compared(b, before, after).Preview("")
					if p.Summary.Changed != want || strings.Join(p.Summary.Left, "") != "" {
						b.Fatalf("%d objects change, want %d", p.Summary.Changed, want)
					}
				}
				b.ReportMetric(float64(100*clusters)*float64(b.N)/b.Elapsed().Seconds(), "objects·clusters/s")
			})
		}
	}
}
