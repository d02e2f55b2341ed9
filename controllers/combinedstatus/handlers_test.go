package combinedstatus

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// TestWatchedWhileUsed expects a watch of a kind from when a Binding asks about it until none does and no
// returned status is left.
func TestWatchedWhileUsed(t *testing.T) {
	w := newState(Options{})
	r := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	at := engine.ObjectRef{GroupVersionResource: r, Namespace: "shop", Name: "web"}
	var tell eventHandler
	following := 0
	w.startWatch = func(_ schema.GroupVersionResource, l eventHandler) func() {
		tell, following = l, following+1
		return func() { following-- }
	}
	put := func(labels m) {
		tell.put(&unstructured.Unstructured{Object: m{"metadata": m{"namespace": "shop", "name": "web", "labels": labels}, "status": m{"replicas": int64(1)}}})
	}
	expect := func(reason string, want int) {
		t.Helper()
		if _, err := w.engine.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if w.stopUnusedWatches(); following != want {
			t.Fatalf("%s: want %d kinds to be followed, got %d", reason, want, following)
		}
	}
	bind := func(asks bool) {
		w.engine.PutBinding(&engine.Binding{Name: "p", Objects: []engine.BoundObject{{ObjectRef: at, Multi: asks}}})
		w.watchWorkloads(w.engine.Resources()...)
	}
	bind(true)
	expect("a Binding asks", 1)
	bind(false)
	expect("nobody asks; what there is is not known yet", 1)
	put(m{writeback.MultiLabel: "true"})
	tell.served("Deployment")
	expect("something is to go", 1)
	if w.planReturn(request{targetWorkload, at}, &writer{}) == nil {
		t.Error("and nobody takes it away")
	}
	put(m{})
	late := tell
	expect("it has gone", 0)
	late.put(&unstructured.Unstructured{Object: m{"metadata": m{"namespace": "shop", "name": "late", "labels": m{writeback.MultiLabel: "true"}}}})
	bind(true)
	expect("a Binding asks again", 1)
	tell.served("Deployment")
	bind(false)
	expect("what was told too late does not count", 0)
}
