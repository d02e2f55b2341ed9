package combinedstatus

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
)

// working listens to workload objects.
func (w *world) working(r engine.Resource) *part {
	return &part{world: w, resource: gvr(r),
		onPut: func(obj *unstructured.Unstructured) { w.engine.PutObject(r, bare(obj).Object) },
		onDrop: func(namespace, name string) {
			t := engine.Target{Resource: r, Namespace: namespace, Name: name}
			delete(w.returned, t)
			delete(w.refused, t)
			w.engine.DeleteObject(t)
		},
		onServed: func(kind string) { w.engine.SetKind(r, kind) }}
}

// ask has kinds of the workload followed.
func (w *world) ask(resources []engine.Resource) {
	for _, r := range resources {
		if w.followed[r] == nil {
			p := w.working(r)
			w.followed[r] = p
			p.stop = w.follow(r, p)
		}
	}
}

// leave ends the following of kinds that no Binding asks about, once there is nothing to be taken away from
// their objects any more.
func (w *world) leave() {
	for r, p := range w.followed {
		if w.engine.Idle(r) {
			p.stop()
			p.over = true
			delete(w.followed, r)
			w.engine.SetKind(r, "")
			maps.DeleteFunc(w.returned, func(t engine.Target, _ exchange) bool { return t.Resource == r })
			maps.DeleteFunc(w.refused, func(t engine.Target, _ refusal) bool { return t.Resource == r })
		}
	}
}

// follows reports whether a kind of the workload is followed, in whatever version.
func (w *world) follows(kind schema.GroupResource) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := range w.followed {
		if r.Group == kind.Group && r.Plural == kind.Resource {
			return true
		}
	}
	return false
}
