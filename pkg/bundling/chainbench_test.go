package bundling

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	resolving "github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
)

// BenchmarkChain takes 100 objects the whole way to the files of their works: bind, transform,
// bundle, write. A small fleet of the same make has passed the laws of all three functions and OCM's
// rules; of the large one a sample is compared with the rules.
func BenchmarkChain(b *testing.B) {
	for _, clusters := range []int{10, 100, 1000, 10_000} {
		for _, templated := range []int{0, 10, 100} {
			b.Run(fmt.Sprintf("objects=100/clusters=%d/templated=%d%%", clusters, templated), func(b *testing.B) {
				benchChain(b, 100, clusters, templated)
			})
		}
	}
}

// BenchmarkChainAgain is what people do most: render what is rendered already, with a small edit or none. Works are read from their
// files, made again, and those that are not the same are written.
func BenchmarkChainAgain(b *testing.B) {
	for _, clusters := range []int{1000, 10_000} {
		files, written := renderedChain(b, clusters)
		for _, c := range []struct {
			edit    string
			changed int
			apply   func(files map[string][]byte)
		}{
			{"none", 0, func(map[string][]byte) {}},
			{"image", clusters, func(files map[string][]byte) { replaceIn(b, files, "web:1.50", "web:2.50") }},
			{"cluster", 1, func(files map[string][]byte) {
				replaceIn(b, files, "  - {name: edge-0,", "  - {name: new, labels: {region: r0, site: edge}}\n  - {name: edge-0,")
			}},
		} {
			b.Run(fmt.Sprintf("objects=100/clusters=%d/edit=%s", clusters, c.edit), func(b *testing.B) {
				edited := maps.Clone(files)
				c.apply(edited)
				again := func() { renderAgain(b, edited, c.changed) }
				peak := peakOf(again)
				b.ReportAllocs()
				for b.Loop() {
					again()
				}
				b.ReportMetric(float64(written)/1e6, "MB-in")
				b.ReportMetric(float64(peak)/1e6, "MB-peak")
			})
		}
	}
}

// renderedChain are the files of a package after its first render, and their size.
func renderedChain(b *testing.B, clusters int) (files map[string][]byte, written int) {
	items, written := runChain(b, chainInput(b, 100, clusters, 10).Items)
	files = map[string][]byte{}
	for _, o := range items {
		data, err := krm.Write([]*krm.Object{o})
		if err != nil {
			b.Fatal(err)
		}
		files[o.File()] = data
	}
	return files, written
}

// replaceIn edits the one file that a user wrote and that holds old.
func replaceIn(b *testing.B, files map[string][]byte, old, now string) {
	for name, data := range files {
		if !strings.HasPrefix(name, "clusters/") && bytes.Contains(data, []byte(old)) {
			files[name] = bytes.Replace(data, []byte(old), []byte(now), 1)
			return
		}
	}
	b.Fatalf("no file holds %q", old)
}

// renderAgain renders files, and holds that so many works change.
func renderAgain(b *testing.B, files map[string][]byte, wanted int) {
	before := readChain(b, files)
	after, same := before, make(map[*krm.Object]bool, len(before))
	for _, o := range before {
		same[o] = true
	}
	for _, f := range chainFunctions {
		out := f.Apply(context.Background(), &fn.Input{Items: after})
		if out.Failed() {
			b.Fatal(out.Results)
		}
		after = out.Items
	}
	changed := 0
	for _, o := range after {
		if same[o] {
			continue
		}
		if o.Is("work.open-cluster-management.io", "ManifestWork") {
			changed++
		}
		if _, err := krm.Write([]*krm.Object{o}); err != nil {
			b.Fatal(err)
		}
	}
	if changed != wanted {
		b.Fatalf("%d works change, want %d", changed, wanted)
	}
}

// readChain reads files as a render does.
func readChain(b *testing.B, files map[string][]byte) (items []*krm.Object) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		objs, err := krm.ReadLazy(name, files[name], krm.Limits{}, "spec", fn.GeneratedBy)
		if err != nil {
			b.Fatal(err)
		}
		for i, o := range objs {
			o.SetPath(name, i)
			items = append(items, o)
		}
	}
	return items
}

func benchChain(b *testing.B, objects, clusters, templated int) {
	small := chainInput(b, 20, 3, templated)
	for _, f := range chainFunctions {
		fntest.CheckLaws(b, ocmcheck.Watch(b, f), small, nil)
		small.Items = f.Apply(context.Background(), small).Items
	}
	checkedWorks(b, &fn.Output{Items: small.Items})
	in := chainInput(b, objects, clusters, templated)
	items, written := runChain(b, in.Items)
	checkedWorks(b, &fn.Output{Items: items})
	items = nil
	peak := peakOf(func() { items, _ = runChain(b, in.Items) })
	items = nil
	b.ReportAllocs()
	for b.Loop() {
		runChain(b, in.Items)
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(objects*clusters)/seconds, "objects·clusters/s")
	b.ReportMetric(seconds*1e6/float64(clusters), "µs/cluster")
	b.ReportMetric(float64(written)/1e6, "MB-out")
	b.ReportMetric(float64(peak)/1e6, "MB-peak")
}

// chainFunctions are what the pipeline of a package runs.
var chainFunctions = []*fn.Function{resolving.Function, transform.Function, Function}

// runChain returns the items and how many bytes the files of Bindings and works take.
func runChain(b *testing.B, items []*krm.Object) ([]*krm.Object, int) {
	before := make(map[*krm.Object]bool, len(items))
	for _, o := range items {
		before[o] = true
	}
	for _, f := range chainFunctions {
		out := f.Apply(context.Background(), &fn.Input{Items: items})
		if out.Failed() {
			b.Fatal(out.Results)
		}
		items = out.Items
	}
	total, files := 0, map[*krm.Object][]byte{} // as a render keeps them until all are there
	for _, o := range items {
		if before[o] {
			continue
		}
		data, err := krm.Write([]*krm.Object{o})
		if err != nil {
			b.Fatal(err)
		}
		files[o], total = data, total+len(data)
	}
	return items, total
}

// peakOf is by how much the heap grew at most while run ran, looking every millisecond.
func peakOf(run func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() uint64 { metrics.Read(sample); return sample[0].Value.Uint64() }
	runtime.GC() // what lies about from before would hide what is to come
	start, stop, peak := heap(), make(chan bool), make(chan uint64)
	go func() {
		most := start
		for {
			select {
			case <-stop:
				peak <- max(most, heap()) - start
				return
			case <-time.After(time.Millisecond):
				most = max(most, heap())
			}
		}
	}()
	run()
	close(stop)
	return <-peak
}

func chainInput(b *testing.B, objects, clusters, percentTemplated int) *fn.Input {
	in := benchInput(b, objects, 0, percentTemplated)
	in.Items = in.Items[:len(in.Items)-1] // the Binding is bind-resolve's to write
	fleet := strings.Builder{}
	for i := range clusters {
		fmt.Fprintf(&fleet, "  - {name: edge-%d, labels: {region: r%d, site: edge}}\n", i, i%7)
	}
	add(b, in, "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: fleet}\nspec:\n  clusters:\n"+fleet.String())
	add(b, in, "apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata: {name: shop}\nspec:\n  clusterSelectors: [{matchLabels: {site: edge}}]\n  downsync: [{apiGroup: apps, resources: [deployments]}]\n")
	add(b, in, "apiVersion: control.kubestellar.io/v1alpha1\nkind: CustomTransform\nmetadata: {name: scrub}\nspec: {apiGroup: apps, resource: deployments, remove: [$.spec.revisionHistoryLimit]}\n")
	return in
}
