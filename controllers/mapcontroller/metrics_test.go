package mapcontroller_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// TestMetrics compares the metrics with what happened, and the documentation with the metrics.
func TestMetrics(t *testing.T) {
	w := newEnvironment(t)
	h := newHook(t)
	w.put(policy)
	w.input("a", "x: one, w: two")
	w.put(strings.Replace(byWebhook(h, ""), "name: copies", "name: counted", 1))
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one"), "p-a-w": probe("two")})
	w.awaitReady("counted", "True")
	for name, want := range map[string]float64{
		"waybill_map_operations_total create counted done": 2,
		"waybill_map_parents counted well":                 1,
		"waybill_map_parents counted failing":              0,
		"waybill_map_followed_types":                       3,
	} {
		w.eventually(name, func() string { return cmp.Diff(want, clustertest.Metrics(t)[name]) })
	}
	if got := clustertest.Metrics(t)["waybill_map_webhook_requests_total 2xx map counted"]; got < 1 {
		t.Errorf("%v requests were counted", got)
	}
	page, err := os.ReadFile("../../docs/reference/metrics.md")
	w.must(err)
	names := clustertest.MetricNames(t, "waybill_map_")
	if len(names) < 7 {
		t.Errorf("only %d metrics were found", len(names))
	}
	for _, name := range names {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/reference/metrics.md does not describe %s", name)
		}
	}
	w.remove("waybill.dev/v1alpha1", "MapController", "counted")
	w.eventually("what is gone is not counted", func() string {
		for name := range clustertest.Metrics(t) {
			if strings.Contains(name, " counted") {
				return name
			}
		}
		return ""
	})
	w.eventually("nor held", func() string { return cmp.Diff(0.0, clustertest.Metrics(t)["waybill_map_followed_types"]) })
}
