package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// BenchmarkSharedCache previews a fleet without a cache; with what this machine has cached; and on a second machine, whose own cache is empty,
// with what the first one shared over HTTP. The fleet is one package of 1,000 Deployments, or 1,000 packages of three. Rendered
// objects are the same on both sides, so that rendering is what takes the time. cpu-ms is the processor time of one preview, with what the
// server takes for it; other work on the machine does not change it much.
func BenchmarkSharedCache(b *testing.B) {
	one, many := b.TempDir(), b.TempDir()
	writeTree(b, one, labelled(b, 1000))
	for i := range 1000 { // each differs, as equal packages have one entry
		dir := filepath.Join(many, fmt.Sprintf("p%d", i))
		writeTree(b, dir, labelled(b, 3))
		writeFile(b, filepath.Join(dir, "own.yaml"), plainMap(fmt.Sprintf("own-%d", i), "a"), 0o644)
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
		for kind, run := range map[string]func(b *testing.B){
			"no cache":     func(b *testing.B) { preview(b, "--no-cache") },
			"this machine": func(b *testing.B) { preview(b) },
			"second machine": func(b *testing.B) {
				b.Setenv(cli.CacheDirVariable, b.TempDir())
				preview(b, "--cache", cache.url)
			},
		} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				before := processorTime(b)
				for b.Loop() {
					run(b)
				}
				b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// processorTime is what this process has taken so far.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func writeTree(b *testing.B, dir string, tree pkgtree.Tree) {
	b.Helper()
	writeFile(b, filepath.Join(dir, ".keep"), "", 0o644)
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, tree); err != nil {
		b.Fatal(err)
	}
}
