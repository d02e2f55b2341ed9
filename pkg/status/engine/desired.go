package engine

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

// Desired is a CombinedStatus that there should be.
type Desired struct {
	Object *control.CombinedStatus
	// Warnings are doubts about it.
	Warnings []status.Warning
	// LeftOut are the results that do not fit into it.
	LeftOut []status.Warning
	// Conflicts are the other Bindings, in order, that ask for a CombinedStatus of the same name: those of one
	// policy that ask about one object. The first Binding gets it.
	Conflicts []string
}

// Desired is the CombinedStatus that there should be under a name, if any.
func (e *Engine) Desired(name types.NamespacedName) (Desired, bool) {
	subjects := e.byName[name]
	if len(subjects) == 0 {
		return Desired{}, false
	}
	d := subjects[0].desired
	for _, s := range subjects[1:] {
		d.Conflicts = append(d.Conflicts, s.binding)
	}
	return d, true
}

// setDesired replaces the CombinedStatus that a subject asks for.
func (e *Engine) setDesired(s *subject, d Desired) {
	name := types.NamespacedName{Namespace: d.Object.Namespace, Name: d.Object.Name}
	if s.name != name {
		e.clearDesired(s)
	}
	before, _ := e.Desired(name)
	s.name, s.desired = name, d
	if i, found := slices.BinarySearchFunc(e.byName[name], s.subjectKey, compareSubject); !found {
		e.byName[name] = slices.Insert(e.byName[name], i, s)
	}
	e.noteChange(name, before)
}

// clearDesired says that a subject asks for no CombinedStatus.
func (e *Engine) clearDesired(s *subject) {
	name := s.name
	i, found := slices.BinarySearchFunc(e.byName[name], s.subjectKey, compareSubject)
	if !found {
		return
	}
	before, _ := e.Desired(name)
	s.name, s.desired = types.NamespacedName{}, Desired{}
	if e.byName[name] = slices.Delete(e.byName[name], i, i+1); len(e.byName[name]) == 0 {
		delete(e.byName, name)
	}
	e.noteChange(name, before)
}

// noteChange lists a name in the next Changes if its Desired is not what it was before.
func (e *Engine) noteChange(name types.NamespacedName, before Desired) {
	now, _ := e.Desired(name)
	if !reflect.DeepEqual(before.Object, now.Object) || !slices.Equal(before.Conflicts, now.Conflicts) {
		e.combined[name] = struct{}{}
	}
}

func compareSubject(s *subject, key subjectKey) int { return s.compare(key) }
