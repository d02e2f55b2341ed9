package mapping

import (
	"maps"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// interest is what decides whether a change matters to a MapController.
type interest struct {
	roles         map[kind]role
	ignoresStatus bool
	customizes    bool
	failing       bool // something that is in the way may have gone
	refused       bool // whatever changes may be what is waited for
}

// know notes what matters now.
func (w *worker) know(r *ready) {
	if r == nil {
		w.known.Store(nil)
		return
	}
	ignores := r.Spec().ParentResource.IgnoreStatusChanges
	w.known.Store(&interest{roles: r.roles, ignoresStatus: ignores != nil && *ignores,
		customizes: r.customizes, failing: len(w.memory.failing) > 0, refused: w.memory.refused != ""})
}

// noticed is told of a change of an object: before is nil for a new one, after for one that is gone. It has
// the parents looked at which the change may concern.
func (w *worker) noticed(k kind, before, after *krm.Object) {
	i := w.known.Load()
	if i == nil {
		return // it is made ready first, and then looks at everything
	}
	o := after
	if o == nil {
		o = before
	}
	switch r, named := i.roles[k]; {
	case i.refused, i.customizes: // who knows what hooks want to see
		w.agenda.everything()
	case !named:
	case r.input:
		w.agenda.around(o.Namespace())
	case r.parent && i.ignoresStatus && isStatusAlone(before, after):
	case r.parent:
		w.agenda.around(o.Namespace())
	case r.output && (i.failing || w.isOurs(before) || w.isOurs(after)):
		w.owned(before, after)
	}
}

// isOurs reports whether the MapController made an object.
func (w *worker) isOurs(o *krm.Object) bool {
	return o != nil && o.Annotation(correspond.ControllerAnnotation) == w.name
}

// owned has the parents of outputs looked at: before and after its tags were changed by somebody.
func (w *worker) owned(states ...*krm.Object) {
	for _, o := range states {
		if o == nil {
			continue
		}
		_, id, err := correspond.ParseKey(correspond.TagsOf(o).Owner)
		if err != nil || !w.isOurs(o) {
			w.agenda.everything()
			return
		}
		w.agenda.around(id.Namespace)
	}
}

// isStatusAlone reports whether a parent that is not being deleted has the generation, the labels and the
// annotations that it had.
func isStatusAlone(before, after *krm.Object) bool {
	if before == nil || after == nil || isDeleting(after) {
		return false
	}
	return uidOf(before) == uidOf(after) && before.String("metadata", "generation") == after.String("metadata", "generation") &&
		maps.Equal(before.Labels(), after.Labels()) && maps.Equal(before.Annotations(), after.Annotations()) &&
		isDeleting(before) == isDeleting(after)
}
