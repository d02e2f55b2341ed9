package combinedstatus_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
)

// lacking is what a cluster reports in which some replicas are not available: the counter of those that are
// is left out, as Kubernetes does with zeros.
var lacking = m{"replicas": int64(3), "updatedReplicas": int64(3), "readyReplicas": int64(2), "unavailableReplicas": int64(3)}

// TestInvalid has statuses whose aggregate the API server refuses. Status and label stay as they are, and it
// is tried again when something changes.
func TestInvalid(t *testing.T) {
	w := newWithDeployments(t)
	full := m{"replicas": int64(3), "updatedReplicas": int64(3), "readyReplicas": int64(3), "availableReplicas": int64(3)}
	const copied = `{"availableReplicas":3,"readyReplicas":3,"replicas":3,"updatedReplicas":3} singletonstatus=true`
	for _, name := range []string{"web", "db"} {
		w.put(workStatuses, w.report("edge1", name, full))
		w.put(workStatuses, w.report("edge2", name, lacking))
	}
	var puts atomic.Int64
	w.wrap = func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.Method == http.MethodPut && strings.Contains(req.URL.Path, "/deployments/") {
				puts.Add(1)
			}
			return next.RoundTrip(req)
		})
	}
	all, both := m{"wantMultiWECReportedState": true}, []string{"edge1", "edge2"}
	w.binding("p", both[:1], w.entry(deployments, "web", all))
	w.start()
	web := func() string { return w.returned("web") }
	w.eventually("one cluster has it", copied, web)
	before := w.get(deployments, w.namespace, "web").GetResourceVersion()
	w.binding("p", both, w.entry(deployments, "web", all), w.entry(deployments, "db", all))
	const why = "the API server refuses the status; the object keeps what it has until something changes"
	refusals := func() string { return fmt.Sprint(strings.Count(w.log.String(), why)) }
	w.eventually("both are refused", "2", refusals)
	tries := puts.Load()
	w.put(workStatuses, w.report("edge2", "web", m{"replicas": int64(3), "updatedReplicas": int64(3), "readyReplicas": int64(2), "unavailableReplicas": int64(3), "x": int64(1)}))
	w.binding("q", both, w.entry(deployments, "web", collected("sum")))
	w.eventually("others go on", "q sum: 5", func() string { return w.results("web") })
	if n := puts.Load(); n != tries {
		t.Errorf("it is tried %d times again for nothing", n-tries)
	}
	if got := web() + " " + w.returned("db"); got != copied+" {}" {
		t.Errorf("want all to stay, got %s", got)
	}
	if after := w.get(deployments, w.namespace, "web").GetResourceVersion(); after != before {
		t.Error("it was written")
	}
	if text := w.log.String(); strings.Count(text, "--status-strict-counters") != 2 || !strings.Contains(text, "cannot be greater than readyReplicas") {
		t.Errorf("want the log to say what is wrong and what helps:\n%s", text)
	}
	w.put(workStatuses, w.report("edge2", "web", full))
	w.eventually("it is valid", strings.Replace(copied, "singleton", "multiwec", 1), web)
	w.put(workStatuses, w.report("edge2", "web", lacking))
	w.eventually("it is not", "3", refusals)
	w.edit(deployments, w.namespace, "web", func(obj m) { obj["spec"].(m)["replicas"] = int64(4) })
	w.eventually("the object is another one, which might help", "4", refusals)
	if got := web(); got != strings.Replace(copied, "singleton", "multiwec", 1) {
		t.Errorf("the last aggregate stays, got %s", got)
	}
}

// TestStrictCounters has the same statuses with the switch that the log names.
func TestStrictCounters(t *testing.T) {
	w := newWithDeployments(t)
	w.put(workStatuses, w.report("edge1", "web", m{"replicas": int64(3), "updatedReplicas": int64(3), "readyReplicas": int64(3), "availableReplicas": int64(3)}))
	w.put(workStatuses, w.report("edge2", "web", lacking))
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", m{"wantMultiWECReportedState": true}))
	w.start(func(o *combinedstatus.Options) { o.Engine.Returning.StrictCounters = true })
	w.eventually("it is valid", `{"readyReplicas":2,"replicas":3,"unavailableReplicas":3,"updatedReplicas":3} multiwecstatus=true`, func() string { return w.returned("web") })
}

// TestRestartWritesNothing has a status returned that the API server keeps without what is empty in it.
func TestRestartWritesNothing(t *testing.T) {
	w := newWithDeployments(t)
	w.put(workStatuses, w.report("edge1", "web", m{"replicas": int64(3), "readyReplicas": int64(0), "conditions": []any{}, "collisionCount": nil}))
	one := m{"wantSingletonReportedState": true}
	w.binding("p", []string{"edge1"}, w.entry(deployments, "web", one))
	stop := w.start()
	w.eventually("it is returned", `{"replicas":3} singletonstatus=true`, func() string { return w.returned("web") })
	stop()
	before := w.get(deployments, w.namespace, "web").GetResourceVersion()
	var puts atomic.Int64
	w.wrap = func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.Method != http.MethodGet && strings.Contains(req.URL.Path, "/deployments/web") {
				puts.Add(1)
			}
			return next.RoundTrip(req)
		})
	}
	w.start()
	w.binding("q", []string{"edge1"}, w.entry(deployments, "db", one))
	w.eventually("another is returned", `{"readyReplicas":1,"replicas":3} singletonstatus=true`, func() string { return w.returned("db") })
	if after := w.get(deployments, w.namespace, "web").GetResourceVersion(); after != before || puts.Load() > 0 {
		t.Errorf("%d writes for nothing", puts.Load())
	}
	w.put(workStatuses, w.report("edge1", "web", m{"replicas": int64(2), "conditions": []any{}}))
	w.eventually("a counter is another one", `{"replicas":2} singletonstatus=true`, func() string { return w.returned("web") })
}
