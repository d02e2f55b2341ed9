package mapcontroller

import (
	"cmp"
	"maps"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// eventFilter decides which changes of objects matter to a MapController.
type eventFilter struct {
	roles         map[live.Resource]role
	ignoresStatus bool
	customizes    bool // its hooks may select any object
	failing       bool // any change of an output may end the error of a parent
	refused       bool // any change may end the error of the MapController
}

// setFilter sets which changes matter from now on.
func (w *worker) setFilter() {
	ignores := w.prepared.Spec().ParentResource.IgnoreStatusChanges
	w.filter.Store(&eventFilter{roles: w.prepared.roles, ignoresStatus: ignores != nil && *ignores,
		customizes: w.prepared.customizes, failing: len(w.memory.failing) > 0, refused: w.memory.refused != ""})
}

// KnowledgeChanged implements live.CacheUser.
func (w *worker) KnowledgeChanged() { w.self.Queue.AddAll() }

// ObjectChanged implements live.CacheUser. It queues the namespaces of the parents that the change may concern.
func (w *worker) ObjectChanged(c *live.Cache, before, after *krm.Object) {
	f := w.filter.Load()
	if f == nil {
		return // the worker prepares the MapController first, and then reconciles all parents
	}
	o := cmp.Or(after, before)
	switch r, named := f.roles[c.Resource]; {
	case f.refused, f.customizes:
		w.self.Queue.AddAll()
	case !named:
	case r.input:
		w.self.Queue.Add(o.Namespace())
	case r.parent && f.ignoresStatus && onlyStatusChanged(before, after):
	case r.parent:
		w.self.Queue.Add(o.Namespace())
	case r.output && (f.failing || w.isOurs(before) || w.isOurs(after)):
		w.queueOwners(before, after)
	}
}

// isOurs reports whether the MapController made an object.
func (w *worker) isOurs(o *krm.Object) bool {
	return o != nil && o.Annotation(applyset.ControllerAnnotation) == w.name
}

// queueOwners queues the parents of an output, those before and after another client changed its tags.
func (w *worker) queueOwners(states ...*krm.Object) {
	for _, o := range states {
		if o == nil {
			continue
		}
		_, id, err := applyset.ParseKey(applyset.TagsOf(o).Owner)
		if err != nil || !w.isOurs(o) {
			w.self.Queue.AddAll()
			return
		}
		w.self.Queue.Add(id.Namespace)
	}
}

// onlyStatusChanged reports whether a parent that is not being deleted has the same generation, labels and annotations.
func onlyStatusChanged(before, after *krm.Object) bool {
	if before == nil || after == nil || live.IsDeleting(after) {
		return false
	}
	return live.UID(before) == live.UID(after) && live.Generation(before) == live.Generation(after) &&
		maps.Equal(before.Labels(), after.Labels()) && maps.Equal(before.Annotations(), after.Annotations()) &&
		live.IsDeleting(before) == live.IsDeleting(after)
}
