package translation_test

import (
	"testing"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// TestMetrics holds the metrics to what happened. Other tests of this binary count, too.
func TestMetrics(t *testing.T) {
	w := newTestCluster(t)
	before := clustertest.Metrics(t)
	all := fixture{version: 4, services: [6]int{1}}.translations(w.namespace)
	all = append(all, named(w.namespace, "unknown", resource("Unicorn", "", "id", "a")))
	w.become(all)
	w.start()
	w.awaitEvent("unknown", "TranslationUpdateError")
	w.settledBut("one cannot be pushed", all[:2], 1)
	after := clustertest.Metrics(t)
	for name, want := range map[string]float64{
		"waybill_push_operations_total create done":                                      6,
		"waybill_push_requests_total 2xx POST application/vnd.org.midonet.Chain-v1+json": 3,
	} {
		if got := after[name] - before[name]; got < want {
			t.Errorf("%s: %v more, want %v", name, got, want)
		}
	}
	for name, want := range map[string]float64{
		"waybill_push_inventory_records": 6, "waybill_push_translations wrong": 1,
		"waybill_push_translations pushed": 2, "waybill_push_translations waiting": 0,
	} {
		w.eventually(name, func() string {
			if clustertest.Metrics(t)[name] != want {
				return "not yet"
			}
			return ""
		})
	}
}
