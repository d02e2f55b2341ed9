package combinedstatus_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
)

// values are those of our metrics: of a histogram, how many there were, and whether they took any time.
func (w *testCluster) values() map[string]float64 {
	w.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		w.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		name, ours := strings.CutPrefix(f.GetName(), "waybill_status_")
		if !ours {
			continue
		}
		for _, one := range f.GetMetric() {
			name := name
			for _, l := range one.GetLabel() { // by name: kind, result, verb
				name += " " + l.GetValue()
			}
			switch {
			case one.Counter != nil:
				out[name] = one.Counter.GetValue()
			case one.Gauge != nil:
				out[name] = one.Gauge.GetValue()
			default:
				out[name] = float64(one.Histogram.GetSampleCount())
				out[name+" took"] = one.Histogram.GetSampleSum()
			}
		}
	}
	return out
}

// since is what was counted after before, without zeros; the reports that are held; and of passes only
// whether there were any. What waits and what is odd is left out.
func since(before, after map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for name, value := range after {
		switch more := value - before[name]; {
		case name == "waiting" || strings.HasPrefix(name, "warnings "):
		case name == "reports":
			out[name] = value
		case strings.HasPrefix(name, "pass") && more > 0:
			out[name] = 1
		case more != 0:
			out[name] = more
		}
	}
	return out
}

// TestMetrics reads all metrics after work that is known, and after some that fails.
func TestMetrics(t *testing.T) {
	w := newWithDeployments(t)
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/policies")
	one := m{"wantSingletonReportedState": true}
	w.collector("broken", m{"filter": "nonsense("})
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum", "list")))
	w.binding("q", []string{"edge1"}, w.entry(deployments, "db", one))
	w.deployment("api")
	w.binding("r", []string{"edge1", "edge2"}, w.entry(deployments, "api", one))
	w.policy("r", nil)
	before := w.values()
	w.start(func(o *combinedstatus.Options) { o.Interval = 500 * time.Millisecond }) // what was written is known when one looks again
	done := func(reason string, want map[string]float64) {
		t.Helper()
		want["pass_duration_seconds"], want["pass_duration_seconds took"] = 1, 1
		w.eventually(reason, "", func() string { return cmp.Diff(want, since(before, w.values())) })
	}
	done("the first of everything", map[string]float64{
		"reports": 4, "rows_total": 4, "writes_total CombinedStatus success create": 1, "writes_total workload success update": 1,
		"writes_total Binding success update": 3, "writes_total StatusCollector success update": 1, "writes_total BindingPolicy success update": 1,
	})
	w.eventually("a status is returned", `{"readyReplicas":1,"replicas":3} singletonstatus=true`, func() string { return w.returned("db") })

	before = w.values()
	w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(5)}))
	w.delete(workStatuses, "edge2", "db")
	done("one report is another one, one is gone", map[string]float64{"reports": 3, "rows_total": 2, "writes_total CombinedStatus success update": 1})

	const role, rules = "waybill-status", `[{"op":"test","path":"/rules/3/resources/0","value":"combinedstatuses"},{"op":"replace","path":"/rules/3/verbs","value":["list","watch"%s]}]`
	w.patchRole(role, fmt.Sprintf(rules, ""))
	before = w.values()
	w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(6)}))
	const failed = "writes_total CombinedStatus error update"
	w.eventually("it is forbidden", "true", func() string { return fmt.Sprint(since(before, w.values())[failed] >= 2) })
	w.patchRole(role, fmt.Sprintf(rules, `,"create","patch","delete"`))
	w.eventually("it is allowed again", "p list: edge1, edge2\np sum: 8", func() string { return w.results("web") })
	want := map[string]float64{"reports": 3, "rows_total": 2, "writes_total CombinedStatus success update": 1, "pass_duration_seconds": 1, "pass_duration_seconds took": 1}
	w.eventually("after what failed", "", func() string { // a write is counted a moment after it can be seen
		after := since(before, w.values())
		delete(after, failed)
		return cmp.Diff(want, after)
	})

	before = w.values()
	w.delete(bindings, "", "p")
	w.delete(bindings, "", "r")
	done("no Binding requests it any more", map[string]float64{"reports": 3, "writes_total CombinedStatus success delete": 1, "writes_total BindingPolicy success update": 1})
}

// patchRole changes what the controller may do.
func (w *testCluster) patchRole(name, patch string) {
	w.Helper()
	if _, err := w.Kubectl(w, w.Admin(), "", "patch", "clusterrole", name, "--type=json", "-p", patch); err != nil {
		w.Fatal(err)
	}
}
