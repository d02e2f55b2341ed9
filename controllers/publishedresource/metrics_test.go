package publishedresource_test

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// TestMetrics checks the values of the metrics, and that docs/reference/metrics.md lists them.
func TestMetrics(t *testing.T) {
	f := newFixture(t)
	f.home.Put(strings.Replace(orders, "metadata: {name: orders}", "metadata: {name: counted}", 1))
	f.putOrder("a", "{x: one}")
	f.putOrder("b", "{x: one}")
	f.start()
	f.awaitCopy("one", "a", "{x: one}")
	f.awaitCopy("another", "b", "{x: one}")
	f.awaitReady("counted", "True")
	for name, want := range map[string]float64{
		"waybill_sync_operations_total create counted done":        2,
		"waybill_sync_operations_total add-finalizer counted done": 2,
		"waybill_sync_objects counted well":                        2,
		"waybill_sync_objects counted failing":                     0,
		"waybill_sync_objects counted detached":                    0,
		"waybill_sync_followed_types":                              2,
	} {
		f.eventually(name, func() string { return diff(want, clustertest.Metrics(t)[name]) })
	}
	page, err := os.ReadFile("../../docs/reference/metrics.md")
	f.Must(err)
	names := clustertest.MetricNames(t, "waybill_sync_")
	if len(names) < 5 {
		t.Errorf("only %d metrics were found", len(names))
	}
	for _, name := range names {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/reference/metrics.md does not list %s", name)
		}
	}
	f.home.Remove(own, "PublishedResource", "counted")
	f.eventually("the metrics of a deleted PublishedResource are removed", func() string {
		for name := range clustertest.Metrics(t) {
			if strings.Contains(name, " counted") {
				return name
			}
		}
		return ""
	})
	f.eventually("no type is held in memory", func() string { return diff(0.0, clustertest.Metrics(t)["waybill_sync_followed_types"]) })
}
