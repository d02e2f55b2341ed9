package combinedstatus_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// questions counts how often the API server is asked whether a kind has a label, and can fail to answer.
type questions struct {
	mu    sync.Mutex
	asked map[string]int // by path and label
	fail  map[string]bool
}

func (q *questions) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		if what := req.URL.Path + " " + req.URL.Query().Get("labelSelector"); req.URL.Query().Get("limit") == "1" {
			q.mu.Lock()
			defer q.mu.Unlock()
			if q.asked[what]++; q.fail[what] && q.asked[what] == 1 {
				return nil, fmt.Errorf("the cable is cut")
			}
		}
		return next.RoundTrip(req)
	})
}

// TestLeftovers has Bindings go while no controller runs. What was returned goes as soon as one does, and
// nothing else does.
func TestLeftovers(t *testing.T) {
	w := newWithDeployments(t)
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/later")
	one, all := m{"wantSingletonReportedState": true}, m{"wantMultiWECReportedState": true}
	w.put(gadgets, m{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": m{"namespace": w.namespace, "name": "g"}})
	report := w.report("edge1", "g", m{"level": int64(4)})
	report["spec"] = m{"sourceRef": m{"group": "example.com", "version": "v1", "kind": "Gadget", "resource": "gadgets", "namespace": w.namespace, "name": "g"}}
	w.put(workStatuses, report)
	w.binding("p", []string{"edge1"}, w.entry(gadgets, "g", one))
	w.binding("q", []string{"edge1", "edge2"}, w.entry(deployments, "web", all))
	stop := w.start()
	gadget := func() string {
		obj := w.get(gadgets, w.namespace, "g")
		return fmt.Sprint(obj.Object["status"], obj.GetLabels())
	}
	w.eventually("a status is returned", "map[level:4] map["+writeback.SingletonLabel+":true]", gadget)
	w.eventually("and another", `{"readyReplicas":1,"replicas":3} multiwecstatus=true`, func() string { return w.returned("web") })
	stop()
	w.deployment("own")
	for name, labels := range map[string]m{"own": {}, "delivered": {writeback.SingletonLabel: "true"}} {
		w.deployment(name)
		w.setStatus(deployments, w.namespace, name, m{"replicas": int64(2)})
		w.edit(deployments, w.namespace, name, func(obj m) {
			obj["metadata"].(m)["labels"] = labels
			if name == "delivered" {
				obj["metadata"].(m)["ownerReferences"] = []any{m{"apiVersion": "work.open-cluster-management.io/v1", "kind": "AppliedManifestWork", "name": "a", "uid": "a"}}
			}
		})
	}
	before := w.versions()
	w.delete(bindings, "", "p")
	w.delete(bindings, "", "q")

	const deploymentsPath, gadgetsPath = "/apis/apps/v1/deployments ", "/apis/example.com/v1/gadgets "
	q := &questions{asked: map[string]int{}, fail: map[string]bool{gadgetsPath + writeback.SingletonLabel: true}}
	w.wrap = q.wrap
	w.start()
	w.eventually("no Binding requests it", `{}`, func() string { return w.returned("web") })
	w.eventually("here neither", "map[] map[]", gadget)
	for _, name := range []string{"own", "delivered"} {
		if after := w.versions()[deployments.Resource+" "+w.namespace+"/"+name]; after != before[deployments.Resource+" "+w.namespace+"/"+name] {
			t.Errorf("%s was written: %s", name, w.returned(name))
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	kinds := map[string]int{}
	for what, n := range q.asked {
		if kinds[strings.Fields(what)[0]]++; n > 1 && !q.fail[what] {
			t.Errorf("%s: asked %d times", what, n)
		}
	}
	want := map[string]int{deploymentsPath: 2, gadgetsPath: 1, "/api/v1/secrets ": 1, "/api/v1/nodes ": 1, "/apis/apps/v1/statefulsets ": 1, "/apis/apps/v1/daemonsets ": 2}
	got := map[string]int{}
	for what := range want {
		got[what] = kinds[strings.TrimSpace(what)]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("questions about kinds (-want +got):\n%s", diff)
	}
	if n := q.asked[gadgetsPath+writeback.SingletonLabel]; n != 2 {
		t.Errorf("what failed was asked %d times", n)
	}
}
