package plan

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// TestReturnedOnce returns a status of which the API server keeps no zeros: that is no reason to do so again.
func TestReturnedOnce(t *testing.T) {
	w := New(engine.Options{})
	r := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	at := engine.ObjectRef{GroupVersionResource: r, Namespace: "shop", Name: "web"}
	w.Engine.SetKind(r, "Deployment")
	w.Engine.PutBinding(&engine.Binding{Name: "p", Objects: []engine.BoundObject{{ObjectRef: at, Multi: true}}, Destinations: []string{"e1", "e2"}})
	report := func(cluster string, ready int64) {
		t.Helper()
		if err := w.Engine.PutReport(m{
			"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "WorkStatus", "metadata": m{"namespace": cluster, "name": "web"},
			"spec":   m{"sourceRef": m{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": "web"}},
			"status": m{"readyReplicas": ready},
		}); err != nil {
			t.Fatal(err)
		}
	}
	plan := func() *Write {
		t.Helper()
		if _, err := w.Engine.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		return w.planReturn(Request{TargetWorkload, at})
	}
	object := func(labels, status m) m {
		return m{"metadata": m{"namespace": "shop", "name": "web", "labels": labels}, "status": status}
	}
	labelled := m{writeback.MultiLabel: "true"}
	report("e1", 1)
	report("e2", 2)
	w.Engine.PutObject(r, object(m{}, m{}))
	a := plan()
	if a == nil {
		t.Fatal("there is something to return")
	}
	kept := object(labelled, m{"readyReplicas": int64(1)})
	a.Done(&unstructured.Unstructured{Object: kept})
	w.Engine.PutObject(r, kept)
	if plan() != nil {
		t.Error("it is there already")
	}
	w.Engine.PutObject(r, object(m{}, m{"readyReplicas": int64(1)}))
	if plan() == nil {
		t.Error("the label is gone")
	}
	w.Engine.PutObject(r, object(labelled, m{"readyReplicas": int64(9)}))
	if plan() == nil {
		t.Error("another client wrote the status")
	}
	w.Engine.PutObject(r, kept)
	report("e1", 2)
	if plan() == nil {
		t.Error("another status is to be returned")
	}
}
