package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkRenderFunctions renders a package whose Kptfile lists many functions, of which each is given the
// Kptfile too: the time for each function may not grow with their number.
func BenchmarkRenderFunctions(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000, 8000} {
		b.Run(fmt.Sprintf("functions=%d", n), func(b *testing.B) {
			dir := manyFunctions(b, n)
			for b.Loop() {
				if r := runCLI(b, "fn", "render", dir, "--no-cache"); r.code != exitDone {
					b.Fatal(r.stderr)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/function")
		})
	}
}

// manyFunctions is the folder of a package of one ConfigMap, whose pipeline sets one label n times.
func manyFunctions(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	step := "  - image: set-labels\n    configMap:\n      label: step\n"
	writeFile(t, filepath.Join(dir, "Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: many\npipeline:\n  mutators:\n"+strings.Repeat(step, n), 0o644)
	writeFile(t, filepath.Join(dir, "a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n", 0o644)
	return dir
}
