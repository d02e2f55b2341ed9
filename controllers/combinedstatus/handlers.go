package combinedstatus

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// handler is a live.WatchHandler that puts the objects of one resource into the state.
type handler struct {
	state   *state
	set     func(name types.NamespacedName, obj *unstructured.Unstructured) error // nil: deleted
	failed  string                                                                // the log message for an error of set
	served  func(kind string)                                                     // "" when the resource is not served
	synced  bool                                                                  // Synced was called
	stop    func()                                                                // stops the watch
	stopped bool                                                                  // later events do not count
}

func (h *handler) update(change func()) {
	h.state.update(func() {
		if !h.stopped {
			change()
		}
	})
}

// Put implements live.WatchHandler.
func (h *handler) Put(obj *unstructured.Unstructured) { h.change(client.ObjectKeyFromObject(obj), obj) }

// Delete implements live.WatchHandler.
func (h *handler) Delete(namespace, name string) {
	h.change(types.NamespacedName{Namespace: namespace, Name: name}, nil)
}

func (h *handler) change(name types.NamespacedName, obj *unstructured.Unstructured) {
	h.update(func() {
		if err := h.set(name, obj); err != nil && name.Namespace != "" {
			h.state.log.Error(err, h.failed) // it names the report
		} else if err != nil {
			h.state.log.Error(err, h.failed, "name", name.Name)
		}
	})
}

// Synced implements live.WatchHandler.
func (h *handler) Synced(kind, _ string) {
	h.update(func() {
		h.synced = true
		h.served(kind)
	})
}

// Failed implements live.WatchHandler. The watcher logs the error, and the known objects stay.
func (h *handler) Failed(error) {}

// newHandler returns the handler of a resource that is always watched.
func (s *state) newHandler(r schema.GroupVersionResource) *handler {
	h := &handler{state: s, served: func(kind string) { s.served[r] = kind != "" }}
	switch r {
	case workStatuses:
		h.set, h.failed = s.setReport(reports.WorkStatus), "a report is left out"
	case manifestWorks:
		h.set, h.failed = s.setReport(reports.ManifestWork), "a report is left out"
	case collectors:
		h.set, h.failed = s.plan.SetCollector, "a StatusCollector counts as missing"
	case bindings:
		h.set, h.failed = s.setBinding, "a Binding cannot be read; its results stay"
	case policies:
		h.set = s.plan.SetPolicy
	case combinedStatuses:
		h.set = s.plan.SetCombined
	}
	return h
}

func (s *state) setReport(kind reports.Kind) func(types.NamespacedName, *unstructured.Unstructured) error {
	return func(name types.NamespacedName, obj *unstructured.Unstructured) error {
		s.reportsChanged = true
		if obj == nil {
			s.plan.Engine.DeleteReport(reports.Source{Kind: kind, Namespace: name.Namespace, Name: name.Name})
			return nil
		}
		return s.plan.Engine.PutReport(obj.Object)
	}
}

func (s *state) setBinding(name types.NamespacedName, obj *unstructured.Unstructured) error {
	err := s.plan.SetBinding(name, obj)
	s.watchWorkloads(s.plan.Engine.Resources()...)
	return err
}

func (s *state) workloadHandler(r schema.GroupVersionResource) *handler {
	return &handler{state: s,
		set: func(name types.NamespacedName, obj *unstructured.Unstructured) error {
			s.plan.SetWorkload(engine.ObjectRef{GroupVersionResource: r, Namespace: name.Namespace, Name: name.Name}, obj)
			return nil
		},
		served: func(kind string) { s.plan.Engine.SetKind(r, kind) },
	}
}
