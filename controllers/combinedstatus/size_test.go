package combinedstatus_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// TestTooLarge has clusters report more than an object can hold.
func TestTooLarge(t *testing.T) {
	w := newWithDeployments(t)
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/later")
	var fleet []string
	for i := range 12 {
		fleet = append(fleet, fmt.Sprintf("large%02d", i))
		w.cluster(fleet[i])
		w.put(workStatuses, w.report(fleet[i], "web", m{"readyReplicas": int64(1), "blob": strings.Repeat("x", 150_000)}))
	}
	w.collector("all", m{"select": []any{m{"name": "status", "def": "returned.status"}}})
	w.binding("p", fleet, w.entry(deployments, "web", collected("all", "sum", "list")))
	w.binding("db", []string{"edge1"}, w.entry(deployments, "db", collected("sum")))
	w.start()
	w.eventually("what fits is there", "p all: \np list: "+strings.Join(fleet, ", ")+"\np sum: 12", func() string { return w.results("web") })
	w.settled()
	const why = `StatusCollector \"all\": the rows are left out: all results about one object may have 1048576 bytes together`
	before := w.generation("web")
	for ready := range int64(3) {
		w.put(workStatuses, w.report(fleet[0], "web", m{"readyReplicas": 1 - ready, "blob": strings.Repeat("y", 150_000)}))
		w.eventually("the rest goes on", fmt.Sprintf("p sum: %d", 12-ready), func() string { return lastLine(w.results("web")) })
	}
	if n := strings.Count(w.log.String(), why); n != 1 {
		t.Errorf("logged %d times", n)
	}
	w.put(workStatuses, w.report(fleet[0], "web", m{"readyReplicas": int64(-1), "blob": "z"}))
	w.put(workStatuses, w.report("edge1", "db", m{"readyReplicas": int64(7)}))
	w.eventually("another object changes", "db sum: 7", func() string { return w.results("db") })
	if writes := w.generation("web") - before; writes > 2 {
		t.Errorf("%d writes for two changes of a sum", writes)
	}
	w.collector("all", m{"select": []any{m{"name": "size", "def": "size(returned.status.blob)"}}})
	w.eventually("it fits", "p all: 1"+strings.Repeat(", 150000", 11), func() string { return strings.Split(w.results("web"), "\n")[0] })
	w.settled()
}

// TestRefusedForItsSize has a status that belongs to an object and cannot stand in it. It is tried now and
// then, however often it changes, and holds up nothing else.
func TestRefusedForItsSize(t *testing.T) {
	w := newWithDeployments(t)
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/later")
	var tries atomic.Int64
	w.wrap = func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.Method == http.MethodPut && strings.HasSuffix(req.URL.Path, "/gadgets/large") {
				tries.Add(1)
			}
			return next.RoundTrip(req)
		})
	}
	w.put(gadgets, m{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": m{"namespace": w.namespace, "name": "large"}, "spec": m{"blob": strings.Repeat("x", 900_000)}})
	report := func(i int64, size int) {
		r := w.report("edge1", "large", m{"n": i, "blob": strings.Repeat("y", size)})
		r["spec"] = m{"sourceRef": m{"group": "example.com", "version": "v1", "kind": "Gadget", "resource": "gadgets", "namespace": w.namespace, "name": "large"}}
		w.put(workStatuses, r)
	}
	report(0, 900_000)
	w.binding("p", []string{"edge1"}, w.entry(gadgets, "large", m{"wantSingletonReportedState": true}), w.entry(deployments, "web", collected("sum")))
	began := time.Now()
	w.start()
	for i := range int64(12) {
		report(i, 900_000)
		w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": i}))
	}
	w.eventually("all else goes on", "p sum: 11", func() string { return w.results("web") })
	intervals := int64(time.Since(began)/(200*time.Millisecond)) + 2
	if n := tries.Load(); n < 1 || n > intervals {
		t.Errorf("%d tries in %d of the longest pauses", n, intervals)
	}
	report(12, 10)
	w.eventually("it fits", "map[blob:yyyyyyyyyy n:12] true", func() string {
		obj := w.get(gadgets, w.namespace, "large")
		return fmt.Sprint(obj.Object["status"], " ", obj.GetLabels()[writeback.SingletonLabel])
	})
}

func lastLine(text string) string { return text[strings.LastIndex(text, "\n")+1:] }
