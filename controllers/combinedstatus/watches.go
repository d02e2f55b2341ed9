package combinedstatus

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/status/engine"
)

func (s *state) workloadHandler(r schema.GroupVersionResource) *handler {
	return &handler{state: s, resource: r,
		onPut: func(obj *unstructured.Unstructured) { s.engine.PutObject(r, bare(obj).Object) },
		onDrop: func(namespace, name string) {
			ref := engine.ObjectRef{GroupVersionResource: r, Namespace: namespace, Name: name}
			delete(s.returned, ref)
			delete(s.rejected, ref)
			s.engine.DeleteObject(ref)
		},
		onServed: func(kind string) { s.engine.SetKind(r, kind) }}
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
