package combinedstatus

import (
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// handler applies the events of one resource to the state.
type handler struct {
	state    *state
	resource schema.GroupVersionResource
	onPut    func(obj *unstructured.Unstructured)
	onDrop   func(namespace, name string)
	onServed func(kind string) // of workload kinds
	synced   bool              // it is known whether the resource is served, and which objects there are
	stop     func()            // stops the watch
	stopped  bool              // later events do not count
}

var _ eventHandler = (*handler)(nil)

func (h *handler) update(change func()) {
	h.state.update(func() {
		if !h.stopped {
			change()
		}
	})
}

func (h *handler) put(obj *unstructured.Unstructured) {
	h.update(func() { h.onPut(obj) })
}

func (h *handler) drop(namespace, name string) {
	h.update(func() { h.onDrop(namespace, name) })
}

func (h *handler) served(kind string) {
	h.update(func() {
		h.synced = true
		if h.onServed != nil {
			h.onServed(kind)
			return
		}
		h.state.served[h.resource] = kind != ""
	})
}

func (s *state) reportHandler(resource schema.GroupVersionResource, kind reports.Kind) *handler {
	return &handler{state: s, resource: resource,
		onPut: func(obj *unstructured.Unstructured) {
			s.reportsChanged = true
			if err := s.engine.PutReport(obj.Object); err != nil {
				s.log.Error(err, "a report is left out")
			}
		},
		onDrop: func(namespace, name string) {
			s.reportsChanged = true
			s.engine.DeleteReport(reports.Source{Kind: kind, Namespace: namespace, Name: name})
		}}
}

func (s *state) collectorHandler() *handler {
	return &handler{state: s, resource: collectors,
		onPut: func(obj *unstructured.Unstructured) {
			name := obj.GetName()
			s.objects[collector][name] = bare(obj)
			delete(s.decodeErrors, name)
			var c control.StatusCollector
			if err := decode(obj, &c); err != nil {
				s.log.Error(err, "a StatusCollector counts as missing", "name", name)
				s.decodeErrors[name] = "cannot be read: " + err.Error()
				s.engine.DeleteCollector(name)
			} else {
				s.engine.PutCollector(&c)
			}
			s.requests.Insert(request{collector, engine.ObjectRef{Name: name}})
			s.requestAll(binding)
		},
		onDrop: func(_, name string) {
			delete(s.objects[collector], name)
			delete(s.decodeErrors, name)
			s.engine.DeleteCollector(name)
			s.requestAll(binding)
		}}
}

func (s *state) bindingHandler() *handler {
	return &handler{state: s, resource: bindings,
		onPut: func(obj *unstructured.Unstructured) {
			name := obj.GetName()
			before := s.objects[binding][name]
			s.objects[binding][name] = bare(obj)
			s.requests.Insert(request{binding, engine.ObjectRef{Name: name}})
			if before == nil || bindingChanged(before, obj) || s.unreadable[name] {
				s.putBinding(obj)
			}
		},
		onDrop: func(_, name string) {
			delete(s.objects[binding], name)
			delete(s.unreadable, name)
			s.engine.DeleteBinding(name)
		}}
}

// bindingChanged ignores the status and the metadata but for owners.
func bindingChanged(before, now *unstructured.Unstructured) bool {
	return !equal(before.Object["spec"], now.Object["spec"]) || !slices.EqualFunc(before.GetOwnerReferences(), now.GetOwnerReferences(),
		func(a, b metav1.OwnerReference) bool { return a.UID == b.UID && a.Kind == b.Kind })
}

// putBinding passes a Binding to the engine. While it cannot be read its last readable state counts; without
// one, what may belong to it stays.
func (s *state) putBinding(obj *unstructured.Unstructured) {
	var b control.Binding
	if err := decode(obj, &b); err != nil {
		s.unreadable[obj.GetName()] = true
		s.engine.MarkUnreadable(obj.GetName())
		s.log.Error(err, "a Binding cannot be read; what is there for it stays", "name", obj.GetName())
		return
	}
	delete(s.unreadable, obj.GetName())
	s.engine.PutBinding(engine.NewBinding(&b))
	s.watchWorkloads(s.engine.Resources()...)
}

func (s *state) policyHandler() *handler {
	return &handler{state: s, resource: policies,
		onPut: func(obj *unstructured.Unstructured) {
			s.objects[policy][obj.GetName()] = bare(obj)
			s.requests.Insert(request{policy, engine.ObjectRef{Name: obj.GetName()}})
		},
		onDrop: func(_, name string) { delete(s.objects[policy], name) }}
}

func (s *state) combinedStatusHandler() *handler {
	return &handler{state: s, resource: combinedStatuses,
		onPut: func(obj *unstructured.Unstructured) {
			name := types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
			s.combined[name] = bare(obj)
			s.requestCombined(name)
		},
		onDrop: func(namespace, name string) {
			delete(s.combined, types.NamespacedName{Namespace: namespace, Name: name})
			s.requestCombined(types.NamespacedName{Namespace: namespace, Name: name})
		}}
}

// requestAll requests all objects of a kind.
func (s *state) requestAll(t target) {
	for name := range s.objects[t] {
		s.requests.Insert(request{t, engine.ObjectRef{Name: name}})
	}
}

func (s *state) requestCombined(name types.NamespacedName) {
	s.requests.Insert(request{combinedStatus, engine.ObjectRef{Namespace: name.Namespace, Name: name.Name}})
}

// bare removes the managed fields from obj, which only the engine needs, and only those of reports.
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
