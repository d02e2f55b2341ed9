package combinedstatus

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// newTold is a state that knows of a Deployment, with a status that was returned, of which kinds there are,
// and that there are CombinedStatuses about it under p and q.
func newTold(t testing.TB) *state {
	t.Helper()
	w := newState(Options{}.withDefaults())
	w.startWatch = func(schema.GroupVersionResource, eventHandler) func() { return func() {} }
	for _, p := range []*handler{w.collectorHandler(), w.bindingHandler(), w.combinedStatusHandler(), w.reportHandler(workStatuses, "WorkStatus"), w.reportHandler(manifestWorks, "ManifestWork")} {
		p.served("a kind")
	}
	r := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	w.watchWorkloads(r)
	of := w.workloads[r]
	of.put(&unstructured.Unstructured{Object: m{"metadata": m{"namespace": "shop", "name": "web", "uid": "u", "labels": m{writeback.SingletonLabel: "true"}}, "status": m{"replicas": int64(1)}}})
	of.served("Deployment")
	for _, policy := range []string{"p", "q"} {
		made, err := status.New(status.Subject{Group: "apps", Version: "v1", Kind: "Deployment", Resource: "deployments", Namespace: "shop", Name: "web", UID: "u", Policy: policy, PolicyUID: policy}, nil)
		if err != nil {
			t.Fatal(err)
		}
		obj, err := toUnstructured(made)
		if err != nil {
			t.Fatal(err)
		}
		w.combinedStatusHandler().put(obj)
	}
	return w
}

// bound is a Binding that asks about the Deployment; with a text for a list of clusters it cannot be read.
func bound(name string, destinations any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: m{"apiVersion": control.APIVersion, "kind": "Binding",
		"metadata": m{"name": name, "ownerReferences": []any{m{"apiVersion": control.APIVersion, "kind": "BindingPolicy", "name": name, "uid": name}}},
		"spec": m{"destinations": destinations, "workload": m{"namespaceScope": []any{m{
			"group": "apps", "version": "v1", "resource": "deployments", "namespace": "shop", "name": "web", "statusCollectors": []any{"none"}}}}}}}
}

// plans are the verbs of what is due, by object.
func (s *state) plans(t testing.TB) map[string]verb {
	t.Helper()
	changes, err := s.engine.Refresh(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]verb{}
	due := []request{{targetBinding, engine.ObjectRef{Name: "p"}}, {targetBinding, engine.ObjectRef{Name: "q"}}}
	for _, at := range changes.Returned {
		due = append(due, request{targetWorkload, at})
	}
	for at := range s.combined {
		due = append(due, request{targetCombinedStatus, engine.ObjectRef{Namespace: at.Namespace, Name: at.Name}})
	}
	for _, one := range due {
		a, err := s.plan(one, &writer{now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		if a != nil {
			out[one.String()] = a.verb
		}
	}
	return out
}

// TestUnreadableBinding has one Binding that cannot be read, from the start or later. What it may have asked
// for stays; all else goes on.
func TestUnreadableBinding(t *testing.T) {
	none, fine, broken := []any{}, []any{m{"clusterId": "e1"}}, "e1"
	const combinedP, combinedQ = "CombinedStatus shop/u.p", "CombinedStatus shop/u.q"
	cases := map[string]struct {
		reason string
		tell   func(b eventHandler)
		want   map[string]verb
	}{
		"both":       {"nobody asks for the status", func(b eventHandler) { b.put(bound("p", none)); b.put(bound("q", fine)) }, map[string]verb{"Binding p": update, "Binding q": update, "workload deployments shop/web": update}},
		"one":        {"q is not there", func(b eventHandler) { b.put(bound("p", none)) }, map[string]verb{"Binding p": update, combinedQ: remove, "workload deployments shop/web": update}},
		"unreadable": {"q is there", func(b eventHandler) { b.put(bound("p", none)); b.put(bound("q", broken)) }, map[string]verb{"Binding p": update}},
		"later":      {"what q asked for is known", func(b eventHandler) { b.put(bound("p", none)); b.put(bound("q", fine)); b.put(bound("q", broken)) }, map[string]verb{"Binding p": update, "workload deployments shop/web": update}},
		"mended":     {"q can be read", func(b eventHandler) { b.put(bound("q", broken)); b.put(bound("q", fine)) }, map[string]verb{"Binding q": update, combinedP: remove, "workload deployments shop/web": update}},
		"gone":       {"q is there no more", func(b eventHandler) { b.put(bound("q", broken)); b.drop("", "q") }, map[string]verb{combinedP: remove, combinedQ: remove, "workload deployments shop/web": update}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newTold(t)
			tc.tell(w.bindingHandler())
			if !w.hasSynced() {
				t.Error("nothing is written at all")
			}
			if diff := cmp.Diff(tc.want, w.plans(t)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestUnreadableCollector has a collector say that it cannot be read.
func TestUnreadableCollector(t *testing.T) {
	w := newTold(t)
	c := func(limit any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: m{"apiVersion": control.APIVersion, "kind": "StatusCollector", "metadata": m{"name": "c"}, "spec": m{"limit": limit}}}
	}
	errs := func() string {
		a, _ := w.planStatus(request{targetCollector, engine.ObjectRef{Name: "c"}}, &writer{})
		if a == nil {
			return "none"
		}
		return string(a.verb) + ": " + w.decodeErrors["c"]
	}
	w.collectorHandler().put(c("many"))
	if got, want := errs(), "update: cannot be read: json: cannot unmarshal string into Go struct field StatusCollectorSpec.spec.limit of type int64"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	w.collectorHandler().put(c(int64(5)))
	if got := errs(); got != "none" {
		t.Errorf("it can be read: %s", got)
	}
}
