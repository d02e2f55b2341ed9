package engine

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

// Desired is a CombinedStatus that should exist.
type Desired struct {
	Object *control.CombinedStatus
	// Warnings are about its results.
	Warnings []status.Warning
	// LeftOut are the results that do not fit into it.
	LeftOut []status.Warning
	// Conflicts are the other Bindings, in order, that request a CombinedStatus of the same name: those of one policy that
	// name one object. The first Binding gets it.
	Conflicts []string
}

// Desired is the CombinedStatus that should exist under a name, if any.
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

// setDesired replaces the CombinedStatus of a subject.
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

// clearDesired removes the CombinedStatus of a subject.
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

// noteChange adds a name to the next Changes if its Desired changed.
func (e *Engine) noteChange(name types.NamespacedName, before Desired) {
	now, _ := e.Desired(name)
	if !reflect.DeepEqual(before.Object, now.Object) || !slices.Equal(before.Conflicts, now.Conflicts) {
		e.combined[name] = struct{}{}
	}
}

func compareSubject(s *subject, key subjectKey) int { return s.compare(key) }
