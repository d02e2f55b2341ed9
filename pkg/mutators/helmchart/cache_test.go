package helmchart

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/helm/chart"
)

// chartFiles are the files of a chart in a folder, with a file of some size.
func chartFiles(name string, size int) fn.Files {
	return fn.Files{name + "/Chart.yaml": []byte("apiVersion: v2\nname: web\nversion: 1.0.0\n"),
		name + "/templates/x.yaml": []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"),
		name + "/big":              bytes.Repeat([]byte(name[:1]), size)}
}

// TestCacheParsesOnce wants one chart for many callers at once, and another for other bytes.
func TestCacheParsesOnce(t *testing.T) {
	c := &cache{charts: map[string]*cached{}}
	files := chartFiles("web", 10)
	got := make([]*chart.Chart, 50)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i], _ = c.get(findAt(files, "web"), files) })
	}
	all.Wait()
	for _, one := range got {
		if one == nil || one != got[0] {
			t.Fatal("the chart was parsed more than once")
		}
	}
	other := chartFiles("web", 11)
	if one, err := c.get(findAt(other, "web"), other); err != nil || one == got[0] {
		t.Errorf("other files give the same chart (%v)", err)
	}
}

// TestCacheIsBounded wants charts that were not used lately to be forgotten.
func TestCacheIsBounded(t *testing.T) {
	c := &cache{charts: map[string]*cached{}}
	const size = 4 << 20
	first := chartFiles("web", size)
	kept, err := c.get(findAt(first, "web"), first)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * maxCached / size {
		files := chartFiles("web", size+i+1)
		if _, err := c.get(findAt(files, "web"), files); err != nil {
			t.Fatal(err)
		}
		if again, _ := c.get(findAt(first, "web"), first); again != kept {
			t.Fatal("a chart that is in use was forgotten")
		}
		if c.size > maxCached || len(c.charts) != len(c.order) {
			t.Fatalf("%d charts of %d bytes are kept", len(c.charts), c.size)
		}
	}
}

// TestFiles wants the folder of charts and values files, from the folder of the config on, and refuses what is out of the package.
func TestFiles(t *testing.T) {
	const config = `apiVersion: fn.kpt.dev/v1alpha1
kind: RenderHelmChart
metadata: {name: web, annotations: {config.kubernetes.io/path: apps/web.yaml}}
helmGlobals: {chartHome: %s}
helmCharts: [{chartArgs: {name: web}, templateOptions: {values: {valuesFiles: [../values.yaml]}}}]
`
	o := fntest.Parse(t, "config.yaml", []byte(fmt.Sprintf(config, "../charts")))[0]
	if paths, err := Files(o); err != nil || strings.Join(paths, " ") != "charts values.yaml" {
		t.Errorf("%q, %v", paths, err)
	}
	if _, err := Files(fntest.Parse(t, "config.yaml", []byte(fmt.Sprintf(config, "../../charts")))[0]); err == nil || !strings.Contains(err.Error(), "outside of the package") {
		t.Errorf("%v", err)
	}
}
