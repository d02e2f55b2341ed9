package explain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// benchTree is a package of 100 objects, of which ten are templates, for so many clusters.
func benchTree(b *testing.B, clusters int) pkgtree.Tree {
	b.Helper()
	f := &randomFleet{clusters: map[string]map[string]string{}, objects: map[string]map[string]string{}, setters: true}
	for i := range clusters {
		f.clusters[fmt.Sprintf("edge-%d", i)] = map[string]string{"site": "a", "tier": "b"}
	}
	for i := range 100 {
		f.objects[fmt.Sprintf("ConfigMap o%d", i)] = map[string]string{"tier": "a"}
	}
	f.policies = []randomPolicy{{clusters: []selector{{"site": "=a"}}, clauses: []randomClause{{resources: "[configmaps]"}}}}
	files := f.files()
	text := string(files["app.yaml"])
	for i, o := range strings.Split(text, "---\n") {
		if i%10 != 0 {
			text = strings.Replace(text, o, strings.Replace(o, "expand-templates: \"true\"", "expand-templates: \"false\"", 1), 1)
		}
	}
	files["app.yaml"] = []byte(text)
	tree, err := pkgtree.New(files)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}

// BenchmarkTrace renders with and without keeping what there was at each step.
func BenchmarkTrace(b *testing.B) {
	for _, clusters := range []int{10, 1000} {
		tree := benchTree(b, clusters)
		for _, trace := range []bool{false, true} {
			b.Run(fmt.Sprintf("clusters=%d/trace=%t", clusters, trace), func(b *testing.B) {
				if got := renderTraced(b, tree, trace); (len(got.Traces) > 0) != trace {
					b.Fatalf("%d steps are traced", len(got.Traces))
				}
				b.ReportAllocs()
				for b.Loop() {
					renderTraced(b, tree, trace)
				}
			})
		}
	}
}

// BenchmarkExplain answers questions about a package that is rendered.
func BenchmarkExplain(b *testing.B) {
	for _, clusters := range []int{10, 1000} {
		tree := benchTree(b, clusters)
		for name, question := range map[string]string{"cluster": "edge-1", "object": "edge-1/configmap/shop/o50", "field": "edge-1/configmap/shop/o50#data.word", "absent": "edge-1/configmap/shop/o500"} {
			b.Run(fmt.Sprintf("clusters=%d/%s", clusters, name), func(b *testing.B) {
				result := renderTraced(b, tree, true)
				b.ReportAllocs()
				for b.Loop() {
					w, err := NewSnapshot("", result.Tree, nil, []Package{{Result: result}})
					if err != nil {
						b.Fatal(err)
					}
					if x, text := ask(b, w, question, false); x.There == (name == "absent") {
						b.Fatal(text)
					}
				}
			})
		}
	}
}
