package publishedresource_test

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// TestWhatIsCounted holds the metrics to what happened, and the page to the metrics.
func TestWhatIsCounted(t *testing.T) {
	w := newWorld(t)
	w.home.put(strings.Replace(orders, "metadata: {name: orders}", "metadata: {name: counted}", 1))
	w.order("a", "{x: one}")
	w.order("b", "{x: one}")
	w.start()
	w.becomes("one", "a", "{x: one}")
	w.becomes("another", "b", "{x: one}")
	w.awaitReady("counted", "True")
	for name, want := range map[string]float64{
		"waybill_sync_operations_total create counted done":        2,
		"waybill_sync_operations_total add-finalizer counted done": 2,
		"waybill_sync_objects counted well":                        2,
		"waybill_sync_objects counted failing":                     0,
		"waybill_sync_objects counted detached":                    0,
		"waybill_sync_followed_types":                              2,
	} {
		w.eventually(name, func() string { return same(want, clustertest.Metrics(t)[name]) })
	}
	page, err := os.ReadFile("../../docs/sync.md")
	w.must(err)
	names := clustertest.MetricNames(t, "waybill_sync_")
	if len(names) < 5 {
		t.Errorf("only %d metrics were found", len(names))
	}
	for _, name := range names {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/sync.md does not tell of %s", name)
		}
	}
	w.home.remove(own, "PublishedResource", "counted")
	w.eventually("what is gone is not counted", func() string {
		for name := range clustertest.Metrics(t) {
			if strings.Contains(name, " counted") {
				return name
			}
		}
		return ""
	})
	w.eventually("nor held", func() string { return same(0.0, clustertest.Metrics(t)["waybill_sync_followed_types"]) })
}
