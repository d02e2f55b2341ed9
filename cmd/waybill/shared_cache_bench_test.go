package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// BenchmarkSharedCache previews a fleet without a cache; with what this machine has cached; and on a second machine, whose own cache is empty,
// with what the first one shared over HTTP. The fleet is one package of 1,000 Deployments, or 1,000 packages of three. Rendered
// objects are the same on both sides, so that rendering is what takes the time.
func BenchmarkSharedCache(b *testing.B) {
	one, many := b.TempDir(), b.TempDir()
	writeTree(b, one, labelled(b, 1000))
	for i := range 1000 {
		writeTree(b, filepath.Join(many, fmt.Sprintf("p%d", i)), labelled(b, 3))
	}
	for name, dir := range map[string]string{"packages=1": one, "packages=1000": many} {
		cache := startCache(b)
		preview := func(b *testing.B, flags ...string) {
			args := append([]string{"fleet", "preview", dir, dir}, flags...)
			if out := benchRun(b, args...); !strings.Contains(out, "Nothing changes") {
				b.Fatal(out)
			}
		}
		warm := b.TempDir()
		b.Setenv(cli.CacheDirVariable, warm)
		preview(b, "--cache", cache.url, "--cache-write")
		b.Run(name+"/no cache", func(b *testing.B) {
			for b.Loop() {
				preview(b, "--no-cache")
			}
		})
		b.Run(name+"/this machine", func(b *testing.B) {
			for b.Loop() {
				preview(b)
			}
		})
		b.Run(name+"/second machine", func(b *testing.B) {
			for b.Loop() {
				b.Setenv(cli.CacheDirVariable, b.TempDir())
				preview(b, "--cache", cache.url)
			}
			b.ReportMetric(float64(len(cache.entries)), "entries")
		})
	}
}

func writeTree(b *testing.B, dir string, tree pkgtree.Tree) {
	b.Helper()
	writeFile(b, filepath.Join(dir, ".keep"), "", 0o644)
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, tree); err != nil {
		b.Fatal(err)
	}
}
