package combinedstatus

import (
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// reporting listens to one kind that reports.
func (w *world) reporting(resource schema.GroupVersionResource, kind reports.Kind) *part {
	return &part{world: w, resource: resource,
		onPut: func(obj *unstructured.Unstructured) {
			w.reported = true
			if err := w.engine.PutReport(obj.Object); err != nil {
				w.log(err, "a report is left out")
			}
		},
		onDrop: func(namespace, name string) {
			w.reported = true
			w.engine.DeleteReport(reports.Source{Kind: kind, Namespace: namespace, Name: name})
		}}
}

// collecting listens to StatusCollectors.
func (w *world) collecting() *part {
	return &part{world: w, resource: collectors,
		onPut: func(obj *unstructured.Unstructured) {
			w.collectors[obj.GetName()] = bare(obj)
			var c control.StatusCollector
			delete(w.undecodable, obj.GetName())
			if err := decode(obj, &c); err != nil {
				w.log(err, "a StatusCollector counts as missing", "name", obj.GetName())
				w.undecodable[obj.GetName()] = "cannot be read: " + err.Error()
				w.engine.DeleteCollector(obj.GetName())
			} else {
				w.engine.PutCollector(&c)
			}
			w.tasks[task{errorsOf, engine.Target{Name: obj.GetName()}}] = struct{}{}
			w.conditions()
		},
		onDrop: func(_, name string) {
			delete(w.collectors, name)
			delete(w.undecodable, name)
			w.engine.DeleteCollector(name)
			w.conditions()
		}}
}

// binding listens to Bindings.
func (w *world) binding() *part {
	return &part{world: w, resource: bindings,
		onPut: func(obj *unstructured.Unstructured) {
			before := w.bindings[obj.GetName()]
			w.bindings[obj.GetName()] = bare(obj)
			w.tasks[task{conditionOf, engine.Target{Name: obj.GetName()}}] = struct{}{}
			if before == nil || !sameAsk(before, obj) || w.unreadable[obj.GetName()] {
				w.bound(obj)
			}
		},
		onDrop: func(_, name string) {
			delete(w.bindings, name)
			delete(w.unreadable, name)
			w.engine.DeleteBinding(name)
		}}
}

// sameAsk reports whether two states of a Binding differ in nothing but what we or others say about it.
func sameAsk(a, b *unstructured.Unstructured) bool {
	return same(a.Object["spec"], b.Object["spec"]) && slices.EqualFunc(a.GetOwnerReferences(), b.GetOwnerReferences(),
		func(a, b metav1.OwnerReference) bool { return a.UID == b.UID && a.Kind == b.Kind })
}

// bound takes in what a Binding asks for. While it cannot be read it asks for what it asked for before; where
// that is not known, what may be there for it stays.
func (w *world) bound(obj *unstructured.Unstructured) {
	var b control.Binding
	if err := decode(obj, &b); err != nil {
		w.unreadable[obj.GetName()] = true
		w.engine.LoseBinding(obj.GetName())
		w.log(err, "a Binding cannot be read; what is there for it stays", "name", obj.GetName())
		return
	}
	delete(w.unreadable, obj.GetName())
	w.engine.PutBinding(engine.BindingOf(&b))
	w.ask(w.engine.Resources())
}

// policing listens to BindingPolicies.
func (w *world) policing() *part {
	return &part{world: w, resource: policies,
		onPut: func(obj *unstructured.Unstructured) {
			w.policies[obj.GetName()] = bare(obj)
			w.tasks[task{policyOf, engine.Target{Name: obj.GetName()}}] = struct{}{}
		},
		onDrop: func(_, name string) { delete(w.policies, name) }}
}

// policyErrors has the errors of all BindingPolicies looked at.
func (w *world) policyErrors() {
	for name := range w.policies {
		w.tasks[task{policyOf, engine.Target{Name: name}}] = struct{}{}
	}
}

// conditions has the conditions of all Bindings looked at.
func (w *world) conditions() {
	for name := range w.bindings {
		w.tasks[task{conditionOf, engine.Target{Name: name}}] = struct{}{}
	}
}

// combining listens to CombinedStatuses.
func (w *world) combining() *part {
	set := func(namespace, name string, obj *unstructured.Unstructured) {
		at := engine.Name{Namespace: namespace, Name: name}
		if w.combined[at] = obj; obj == nil {
			delete(w.combined, at)
		}
		w.tasks[task{combinedOf, engine.Target{Namespace: namespace, Name: name}}] = struct{}{}
	}
	return &part{world: w, resource: combinedStatuses,
		onPut:  func(obj *unstructured.Unstructured) { set(obj.GetNamespace(), obj.GetName(), bare(obj)) },
		onDrop: func(namespace, name string) { set(namespace, name, nil) }}
}

func gvr(r engine.Resource) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Plural}
}

// bare is obj without the record of who wrote what, which nobody asks for. It changes obj.
func bare(obj *unstructured.Unstructured) *unstructured.Unstructured {
	obj.SetManagedFields(nil)
	return obj
}

func decode(obj *unstructured.Unstructured, into any) error {
	text, err := json.Marshal(obj.Object)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
