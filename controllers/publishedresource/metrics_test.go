package publishedresource_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/metrics"
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
		w.eventually(name, func() string { return same(want, counted(t)[name]) })
	}
	page, err := os.ReadFile("../../docs/sync.md")
	w.must(err)
	for _, name := range names(t) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/sync.md does not tell of %s", name)
		}
	}
	w.home.remove(own, "PublishedResource", "counted")
	w.eventually("what is gone is not counted", func() string {
		for name := range counted(t) {
			if strings.Contains(name, " counted") {
				return name
			}
		}
		return ""
	})
	w.eventually("nor held", func() string { return same(0.0, counted(t)["waybill_sync_followed_types"]) })
}

// names are those of all metrics of this controller.
func names(t *testing.T) (all []string) {
	t.Helper()
	for name := range counted(t) {
		if name, _, _ = strings.Cut(name, " "); strings.HasPrefix(name, "waybill_sync_") && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) < 5 {
		t.Errorf("only %d metrics were found", len(all))
	}
	return all
}

// counted are counters and gauges, by name and the values of their labels.
func counted(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := []string{f.GetName()}
			for _, l := range m.GetLabel() {
				name = append(name, l.GetValue())
			}
			out[strings.Join(name, " ")] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return out
}
