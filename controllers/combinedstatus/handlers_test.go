package combinedstatus

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/plan"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

type m = map[string]any

// TestWatchedWhileUsed expects a watch of a kind from when a Binding asks about it until none does and no
// returned status is left.
func TestWatchedWhileUsed(t *testing.T) {
	w := newState(Options{}.withDefaults())
	r := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	at := engine.ObjectRef{GroupVersionResource: r, Namespace: "shop", Name: "web"}
	var tell live.WatchHandler
	following := 0
	w.startWatch = func(_ schema.GroupVersionResource, l live.WatchHandler) func() {
		tell, following = l, following+1
		return func() { following-- }
	}
	put := func(labels m) {
		tell.Put(&unstructured.Unstructured{Object: m{"metadata": m{"namespace": "shop", "name": "web", "labels": labels}, "status": m{"replicas": int64(1)}}})
	}
	expect := func(reason string, want int) {
		t.Helper()
		if _, err := w.plan.Engine.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if w.stopUnusedWatches(); following != want {
			t.Fatalf("%s: want %d kinds to be followed, got %d", reason, want, following)
		}
	}
	bind := func(asks bool) {
		w.plan.Engine.PutBinding(&engine.Binding{Name: "p", Objects: []engine.BoundObject{{ObjectRef: at, Multi: asks}}})
		w.watchWorkloads(w.plan.Engine.Resources()...)
	}
	bind(true)
	expect("a Binding asks", 1)
	bind(false)
	expect("no Binding requests it; the existing objects are not known yet", 1)
	put(m{writeback.MultiLabel: "true"})
	tell.Synced("Deployment", "")
	expect("something is to go", 1)
	if due, err := w.plan.Plan(plan.Request{Target: plan.TargetWorkload, ObjectRef: at}, time.Now()); due == nil || err != nil {
		t.Error("and no write removes it")
	}
	put(m{})
	late := tell
	expect("it has gone", 0)
	late.Put(&unstructured.Unstructured{Object: m{"metadata": m{"namespace": "shop", "name": "late", "labels": m{writeback.MultiLabel: "true"}}}})
	bind(true)
	expect("a Binding asks again", 1)
	tell.Synced("Deployment", "")
	bind(false)
	expect("what was told too late does not count", 0)
}

// TestSyncedWithUnreadableBinding expects writes although one Binding cannot be read.
func TestSyncedWithUnreadableBinding(t *testing.T) {
	s := newState(Options{}.withDefaults())
	for _, r := range []schema.GroupVersionResource{collectors, bindings, combinedStatuses, workStatuses, manifestWorks} {
		s.newHandler(r).Synced("a kind", "")
	}
	s.newHandler(bindings).Put(&unstructured.Unstructured{Object: m{"metadata": m{"name": "q"}, "spec": m{"destinations": "e1"}}})
	if !s.hasSynced() {
		t.Error("nothing is written at all")
	}
}
