package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const (
	benchClusters = 200
	benchObjects  = 40 // for each cluster
)

// BenchmarkDelivery changes one image of all clusters. It reports how long each part of the way to the hub takes, and the processor
// time of each program on it. There are no clusters: every work counts as applied when the measurement has ended.
func BenchmarkDelivery(b *testing.B) {
	testenv.Need(b, testenv.Git, testenv.APIServer, testenv.OCM, testenv.Flux)
	d := newBenchDelivery(b)
	parts, used := map[string]time.Duration{}, map[string]time.Duration{}
	d.toHub("web:1", parts)
	d.pretendApplied()
	clear(parts)
	for n := 2; b.Loop(); n++ {
		d.Replace(d, fmt.Sprintf("web:%d'", n-1), fmt.Sprintf("web:%d'", n))
		before := processorTimes(b)
		d.toHub(fmt.Sprintf("web:%d", n), parts)
		for program, after := range processorTimes(b) {
			used[program] += after - before[program]
		}
		d.pretendApplied()
	}
	b.ReportMetric(d.sizeOfWorks()/1e6, "MB")
	for part, t := range parts {
		b.ReportMetric(t.Seconds()/float64(b.N), part+"-s")
	}
	for program, t := range used {
		if t > 10*time.Millisecond*time.Duration(b.N) {
			b.ReportMetric(t.Seconds()/float64(b.N), program+"-cpu-s")
		}
	}
}

// toHub brings a release to the hub, where all works have the image then, and adds the time of each part.
func (d *delivery) toHub(image string, parts map[string]time.Duration) {
	updates, stop := d.watchWorks()
	defer stop()
	last := time.Now()
	lap := func(part string) {
		parts[part] += time.Since(last)
		last = time.Now()
	}
	draft := d.propose()
	d.awaitDraft(draft)
	lap("draft")
	d.publish(draft)
	lap("approve")
	d.flux.Request(d)
	d.flux.AwaitFetched(d, d.published())
	lap("fetch")
	awaitWorks(d, updates, image)
	lap("apply")
}

// sizeOfWorks is how many bytes the works have in Git.
func (d *delivery) sizeOfWorks() (bytes float64) {
	for line := range strings.Lines(gittest.Git(d, d.deployments, "ls-tree", "-r", "-l", "main:shop/clusters")) {
		n, err := strconv.ParseFloat(strings.Fields(line)[3], 64)
		if err != nil {
			d.Fatal(err)
		}
		bytes += n
	}
	return bytes
}

// newBenchDelivery is the loop as far as the hub, with a fleet of many clusters.
func newBenchDelivery(b *testing.B) *delivery {
	d := &delivery{TB: b, hub: ocmtest.StartHub(b), Fleet: ocmtest.NewFleet("shop", "near", "far"),
		blueprints: gittest.NewBare(b), deployments: gittest.NewBare(b)}
	web, namespaces := d.Texts["web.yaml"], ""
	clusters := "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata:\n  name: fleet\nspec:\n  clusters:\n"
	for i := range benchClusters {
		clusters += fmt.Sprintf("  - name: edge-%03d\n    labels:\n      site: edge\n", i)
		namespaces += fmt.Sprintf("---\napiVersion: v1\nkind: Namespace\nmetadata: {name: edge-%03d}\n", i)
	}
	d.Texts = map[string]string{"policy.yaml": d.Texts["policy.yaml"], "namespace.yaml": d.Texts["namespace.yaml"],
		"web.yaml": web, "clusters.yaml": clusters}
	for i := range benchObjects/2 - 1 {
		name := fmt.Sprintf("app-%02d", i)
		d.Texts[name+".yaml"] = strings.NewReplacer("name: web", "name: "+name, "web:1", name+":1").Replace(web)
		d.Add(name+"-settings.yaml", "v1", "ConfigMap", name, "data: {text: '"+strings.Repeat("setting ", 50)+"'}\n")
	}
	d.options()
	d.start()
	d.kubectl(namespaces, "apply", "-f", "-")
	return d
}
