package mapcontroller_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// TestWhatIsCounted holds the metrics to what happened, and the page to the metrics.
func TestWhatIsCounted(t *testing.T) {
	w := newWorld(t)
	h := newHook(t)
	w.put(policy)
	w.input("a", "x: one, w: two")
	w.put(strings.Replace(byWebhook(h, ""), "name: copies", "name: counted", 1))
	w.start()
	w.settled("at first", map[string]any{"p-a-x": probe("one"), "p-a-w": probe("two")})
	w.awaitReady("counted", "True")
	for name, want := range map[string]float64{
		"waybill_map_operations_total create counted done": 2,
		"waybill_map_parents counted well":                 1,
		"waybill_map_parents counted failing":              0,
		"waybill_map_followed_types":                       3,
	} {
		w.eventually(name, func() string { return cmp.Diff(want, counted(t)[name]) })
	}
	if got := counted(t)["waybill_map_webhook_requests_total 2xx map counted"]; got < 1 {
		t.Errorf("%v requests were counted", got)
	}
	page, err := os.ReadFile("../../docs/map.md")
	w.must(err)
	for _, name := range names(t) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/map.md does not tell of %s", name)
		}
	}
	w.remove("waybill.dev/v1alpha1", "MapController", "counted")
	w.eventually("what is gone is not counted", func() string {
		for name := range counted(t) {
			if strings.Contains(name, " counted") {
				return name
			}
		}
		return ""
	})
	w.eventually("nor held", func() string { return cmp.Diff(0.0, counted(t)["waybill_map_followed_types"]) })
}

// names are those of all metrics of this controller.
func names(t *testing.T) (all []string) {
	t.Helper()
	for name := range counted(t) {
		if name, _, _ = strings.Cut(name, " "); strings.HasPrefix(name, "waybill_map_") && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) < 7 {
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
