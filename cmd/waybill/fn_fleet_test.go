package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/memlimit"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

// fleetFiles are a package for so many clusters and objects, one in ten with a template.
func fleetFiles(clusters, objects int) map[string]string {
	files := map[string]string{"Kptfile": previewKptfile, "policy.yaml": previewPolicy}
	names := make([]string, clusters)
	for i := range names {
		names[i] = fmt.Sprintf("edge-%d", i)
	}
	files["clusters.yaml"] = previewClusters(names...)
	for i := range objects {
		web := strings.Replace(edgeWeb("3", fmt.Sprintf("web:1.%d", i)), "name: web\n  namespace", fmt.Sprintf("name: web-%d\n  namespace", i), 1)
		if i%10 == 0 {
			web = strings.Replace(web, "  namespace:", "  annotations:\n    control.kubestellar.io/expand-templates: \"true\"\n"+
				"    cluster: \"{{.clusterName}}\"\n  namespace:", 1)
		}
		files[fmt.Sprintf("app/web-%d.yaml", i)] = web
	}
	return files
}

// TestMemoryFlag holds that a small limit of memory changes no byte, and that nonsense is refused.
func TestMemoryFlag(t *testing.T) {
	defer memlimit.Set(0)
	dirs := map[string]string{"": t.TempDir(), "64Mi": t.TempDir()}
	files := fleetFiles(300, 60)
	read := func(dir string) pkgtree.Tree {
		tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	for _, step := range []map[string]string{files, {}, {"app/web-7.yaml": strings.Replace(files["app/web-7.yaml"], "web:1.7", "web:2", 1)}} {
		for limit, dir := range dirs {
			if err := os.MkdirAll(filepath.Join(dir, "app"), 0o755); err != nil {
				t.Fatal(err)
			}
			writeFiles(t, dir, step)
			args := []string{"fn", "render", dir, "--no-cache"}
			if limit != "" {
				args = append(args, "--memory", limit)
			}
			if r := runCLI(t, args...); r.code != exitDone {
				t.Fatalf("%q: %+v", args, r)
			}
			memlimit.Set(0)
		}
		if a, b := read(dirs[""]), read(dirs["64Mi"]); !a.Equal(b) || a.Len() < 300 {
			t.Errorf("with a limit of memory other files are written: %q of %d", a.Diff(b), a.Len())
		}
	}
	for text, want := range map[string]string{"lots": "want an amount like 512Mi or 2Gi", "1Mi": "want 64Mi or more", "-1Gi": "want 64Mi or more",
		"32Mi": "want 64Mi or more", "": "want an amount"} {
		if r := runCLI(t, "fn", "render", dirs[""], "--memory="+text); r.code != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("--memory=%s: %+v, want %q", text, r, want)
		}
	}
}

// BenchmarkFleetRender renders a package of 100 objects for 1,000 clusters, or for WAYBILL_BENCH_CLUSTERS, as a process of its own: at
// first, with nothing changed, with one image changed, with one cluster more, and its works without a pipeline. It reports the peak of
// memory and the processor time.
func BenchmarkFleetRender(b *testing.B) {
	clusters, _ := strconv.Atoi(os.Getenv("WAYBILL_BENCH_CLUSTERS"))
	if clusters == 0 {
		clusters = 1000
	}
	program, dir := filepath.Join(b.TempDir(), "waybill"), b.TempDir()
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	write := func(files map[string]string) {
		for name, text := range files {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	files, more := fleetFiles(clusters, 100), fleetFiles(clusters+1, 0)
	images := func(round int) map[string]string {
		return map[string]string{"app/web-7.yaml": strings.Replace(files["app/web-7.yaml"], "web:1.7", fmt.Sprintf("web:%d", round), 1)}
	}
	steps := []struct {
		name string
		edit func(round int)
	}{
		{"cold", func(int) { _ = os.RemoveAll(filepath.Join(dir, "clusters")); write(files) }},
		{"nothing", func(int) {}},
		{"image", func(round int) { write(images(2 + round)) }},
		{"cluster", func(round int) {
			write(map[string]string{"clusters.yaml": []map[string]string{more, files}[round%2]["clusters.yaml"]})
		}},
		{"bare", func(int) {
			write(map[string]string{"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: root\n"})
		}},
	}
	for _, step := range steps {
		b.Run(step.name, func(b *testing.B) { benchRender(b, program, dir, step.edit) })
	}
}

// benchRender times one step.
func benchRender(b *testing.B, program, dir string, edit func(round int)) {
	var peak int64
	var wall, cpu time.Duration
	round := 0
	for b.Loop() {
		edit(round)
		cmd := exec.Command(program, "fn", "render", dir)
		cmd.Env = append(os.Environ(), cli.NoCacheVariable+"=1")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		taken, err := usage.Run(cmd)
		if err != nil {
			b.Fatalf("%v: %s", err, &out)
		}
		peak, wall, cpu, round = max(peak, taken.Peak), wall+taken.Wall, cpu+taken.CPU, round+1
	}
	b.ReportMetric(float64(wall.Nanoseconds())/float64(round), "ns/op") // without the edit
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(cpu.Seconds()/float64(round), "cpu-s/op")
}
