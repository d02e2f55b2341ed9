package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
)

// shop is the chart of testdata with each template ten times: 40 templates and a partial.
func shop(t testing.TB) []engine.File {
	t.Helper()
	paths, err := filepath.Glob("testdata/shop/templates/*")
	if err != nil || len(paths) != 5 {
		t.Fatalf("the chart has templates %q, %v", paths, err)
	}
	var files []engine.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(path)
		if base[0] == '_' {
			files = append(files, engine.File{Name: "shop/templates/" + base, Data: data})
			continue
		}
		for i := range 10 {
			files = append(files, engine.File{Name: fmt.Sprintf("shop/templates/%d/%s", i, base), Data: data})
		}
	}
	return files
}

// variant are the values of one of many clusters.
func variant(t testing.TB, i int) map[string]any {
	t.Helper()
	text, err := os.ReadFile("testdata/shop/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	values["env"].(map[string]any)["REGION"] = fmt.Sprintf("region-%d", i)
	return map[string]any{
		"Values": values, "Chart": map[string]any{"Name": "shop", "Version": "1.2.3", "AppVersion": "4.5"}, "Files": engine.Files{},
		"Release": map[string]any{"Name": fmt.Sprintf("r%d", i), "Namespace": "shop", "Service": "Helm"},
	}
}

func variants(t testing.TB) []map[string]any {
	all := make([]map[string]any, 100)
	for i := range all {
		all[i] = variant(t, i)
	}
	return all
}

// BenchmarkVariants renders 40 templates for each of 100 sets of values, parsed once.
func BenchmarkVariants(b *testing.B) {
	compiled, err := engine.Compile(shop(b))
	if err != nil {
		b.Fatal(err)
	}
	all := variants(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, v := range all {
			if _, err := compiled.Render(func(string) map[string]any { return v }, engine.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(all)*b.N)/b.Elapsed().Seconds(), "renders/s")
}

func BenchmarkCompile(b *testing.B) {
	files := shop(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Compile(files); err != nil {
			b.Fatal(err)
		}
	}
}
