package combinedstatus

import (
	"encoding/json"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// handler applies the events of one resource to the state.
type handler struct {
	state    *state
	resource schema.GroupVersionResource
	set      func(name types.NamespacedName, obj *unstructured.Unstructured) // nil: deleted
	onServed func(kind string)                                               // of workload kinds
	synced   bool                                                            // whether the resource is served, and its objects, are known
	stop     func()                                                          // stops the watch
	stopped  bool                                                            // later events do not count
}

func (h *handler) update(change func()) {
	h.state.update(func() {
		if !h.stopped {
			change()
		}
	})
}

func (h *handler) put(obj *unstructured.Unstructured) {
	h.update(func() { h.set(client.ObjectKeyFromObject(obj), obj) })
}

func (h *handler) drop(namespace, name string) {
	h.update(func() { h.set(types.NamespacedName{Namespace: namespace, Name: name}, nil) })
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
	return &handler{state: s, resource: resource, set: func(name types.NamespacedName, obj *unstructured.Unstructured) {
		s.reportsChanged = true
		if obj == nil {
			s.engine.DeleteReport(reports.Source{Kind: kind, Namespace: name.Namespace, Name: name.Name})
		} else if err := s.engine.PutReport(obj.Object); err != nil {
			s.log.Error(err, "a report is left out")
		}
	}}
}

func (s *state) collectorHandler() *handler {
	return &handler{state: s, resource: collectors, set: func(name types.NamespacedName, obj *unstructured.Unstructured) {
		s.setObject(targetCollector, name.Name, obj)
		s.requestAll(targetBinding)
		delete(s.decodeErrors, name.Name)
		var c control.StatusCollector
		if obj == nil {
			s.engine.DeleteCollector(name.Name)
		} else if err := decode(obj, &c); err != nil {
			s.log.Error(err, "a StatusCollector counts as missing", "name", name.Name)
			s.decodeErrors[name.Name] = "cannot be read: " + err.Error()
			s.engine.DeleteCollector(name.Name)
		} else {
			s.engine.PutCollector(&c)
		}
	}}
}

func (s *state) bindingHandler() *handler {
	return &handler{state: s, resource: bindings, set: func(name types.NamespacedName, obj *unstructured.Unstructured) {
		before := s.objects[targetBinding][name.Name]
		s.setObject(targetBinding, name.Name, obj)
		if obj == nil {
			delete(s.unreadable, name.Name)
			s.engine.DeleteBinding(name.Name)
		} else if before == nil || bindingChanged(before, obj) || s.unreadable[name.Name] {
			s.putBinding(obj)
		}
	}}
}

func (s *state) policyHandler() *handler {
	return &handler{state: s, resource: policies, set: func(name types.NamespacedName, obj *unstructured.Unstructured) {
		s.setObject(targetPolicy, name.Name, obj)
	}}
}

func (s *state) combinedStatusHandler() *handler {
	return &handler{state: s, resource: combinedStatuses, set: func(name types.NamespacedName, obj *unstructured.Unstructured) {
		if s.requestCombined(name); obj == nil {
			delete(s.combined, name)
		} else {
			s.combined[name] = bare(obj)
		}
	}}
}

func (s *state) workloadHandler(r schema.GroupVersionResource) *handler {
	return &handler{state: s, resource: r, set: func(name types.NamespacedName, obj *unstructured.Unstructured) {
		if obj != nil {
			s.engine.PutObject(r, bare(obj).Object)
			return
		}
		ref := engine.ObjectRef{GroupVersionResource: r, Namespace: name.Namespace, Name: name.Name}
		delete(s.returned, ref)
		delete(s.rejected, ref)
		s.engine.DeleteObject(ref)
	}, onServed: func(kind string) { s.engine.SetKind(r, kind) }}
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

// setObject adds, replaces or (nil) deletes an object whose status says what is wrong with it, and requests it.
func (s *state) setObject(t target, name string, obj *unstructured.Unstructured) {
	s.requests.Insert(request{t, engine.ObjectRef{Name: name}})
	if obj == nil {
		delete(s.objects[t], name)
	} else {
		s.objects[t][name] = bare(obj)
	}
}

// requestAll requests all objects of a kind.
func (s *state) requestAll(t target) {
	for name := range s.objects[t] {
		s.requests.Insert(request{t, engine.ObjectRef{Name: name}})
	}
}

func (s *state) requestCombined(name types.NamespacedName) {
	s.requests.Insert(request{targetCombinedStatus, engine.ObjectRef{Namespace: name.Namespace, Name: name.Name}})
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

// watchWorkloads starts the watches of workload kinds that have none.
func (s *state) watchWorkloads(resources ...schema.GroupVersionResource) {
	for _, r := range resources {
		if s.workloads[r] == nil {
			h := s.workloadHandler(r)
			s.workloads[r] = h
			h.stop = s.startWatch(r, h)
		}
	}
}

// stopUnusedWatches stops the watches of kinds that no Binding asks about, once their objects have no returned
// status any more.
func (s *state) stopUnusedWatches() {
	for r, h := range s.workloads {
		if s.engine.Unused(r) {
			h.stop()
			h.stopped = true
			delete(s.workloads, r)
			s.engine.SetKind(r, "")
			maps.DeleteFunc(s.returned, func(ref engine.ObjectRef, _ returnedStatus) bool { return ref.GroupVersionResource == r })
			maps.DeleteFunc(s.rejected, func(ref engine.ObjectRef, _ rejection) bool { return ref.GroupVersionResource == r })
		}
	}
}

// watches reports whether a workload kind is watched, in any version.
func (s *state) watches(resource schema.GroupResource) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.workloads {
		if r.GroupResource() == resource {
			return true
		}
	}
	return false
}
