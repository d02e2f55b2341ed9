package engine

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// Name is where a CombinedStatus is.
type Name struct{ Namespace, Name string }

// Compare orders names.
func (n Name) Compare(b Name) int {
	return cmp.Or(cmp.Compare(n.Namespace, b.Namespace), cmp.Compare(n.Name, b.Name))
}

// Wanted is a CombinedStatus that there should be.
type Wanted struct {
	Object *control.CombinedStatus
	// Warnings are what is odd about it.
	Warnings []status.Warning
}

// Changes are what came of what was put in.
type Changes struct {
	// Restructured says that Bindings or kinds changed: what was undecided may be decided.
	Restructured bool
	// Combined are the CombinedStatuses that should be others now, or not be, in order.
	Combined []Name
	// Returned are the objects whose status may have to be written, in order.
	Returned []Target
	// Refused are errors of what no CombinedStatus can be written for.
	Refused []error
	// Rows is how many rows were evaluated.
	Rows int
}

// Refresh evaluates what has changed since the last time. It stops when ctx ends, with an error; what is
// left is done the next time.
func (e *Engine) Refresh(ctx context.Context) (out Changes, err error) {
	if e.restructured {
		e.layOut()
		out.Restructured, e.restructured = true, false
	}
	for _, at := range slices.SortedFunc(maps.Keys(e.stale), key.compare) {
		if err := e.refresh(ctx, e.stale[at], &out); err != nil {
			return out, err
		}
		delete(e.stale, at)
	}
	out.Combined = slices.SortedFunc(maps.Keys(e.changed), Name.Compare)
	clear(e.changed)
	out.Returned = slices.SortedFunc(maps.Values(e.touched), Target.compare)
	clear(e.touched)
	return out, nil
}

// Wanted is the CombinedStatus that should be under a name, or none.
func (e *Engine) Wanted(at Name) (Wanted, bool) {
	w, is := e.wanted[at]
	return w, is
}

// All are the names under which a CombinedStatus should be, in order.
func (e *Engine) All() []Name { return slices.SortedFunc(maps.Keys(e.wanted), Name.Compare) }

// Keeps reports whether nothing is decided yet about the CombinedStatus that has these labels.
func (e *Engine) Keeps(labels map[string]string) bool {
	return e.undecided[Target{
		Resource{labels[status.LabelGroup], "", labels[status.LabelResource]}, labels[status.LabelNamespace], labels[status.LabelName],
	}][labels[status.LabelPolicy]]
}

func (e *Engine) refresh(ctx context.Context, s *subject, out *Changes) error {
	programs, _ := e.collectors.Pick(s.collectors)
	made, err := s.evaluate(ctx, programs, e.reports.Of(s.id), e.options.Evaluation)
	if err != nil {
		return err
	}
	out.Rows += made.rows
	object, err := status.New(s.about, made.results)
	if err != nil {
		out.Refused = append(out.Refused, err)
		e.unwant(s)
		return nil
	}
	at := Name{object.Namespace, object.Name}
	if s.name != at {
		e.unwant(s)
	}
	if before, is := e.wanted[at]; !is || !reflect.DeepEqual(before.Object, object) {
		e.changed[at] = struct{}{}
	}
	s.name = at
	e.wanted[at] = Wanted{object, made.warnings}
	return nil
}

func (e *Engine) unwant(s *subject) {
	if _, is := e.wanted[s.name]; is {
		delete(e.wanted, s.name)
		e.changed[s.name] = struct{}{}
	}
	s.name = Name{}
}

// layOut finds all subjects anew, and what is asked for their statuses. Subjects that stay keep their rows.
func (e *Engine) layOut() {
	before := e.subjects
	e.subjects, e.about, e.undecided = map[key]*subject{}, map[reports.Identity][]*subject{}, map[Target]map[string]bool{}
	var selections []writeback.Selection
	for _, name := range slices.Sorted(maps.Keys(e.bindings)) {
		b := e.bindings[name]
		selection := writeback.Selection{Policy: name, Destinations: b.Destinations}
		for _, a := range b.Objects {
			k := e.kinds[a.Resource]
			if k == nil || k.name == "" {
				e.undecide(name, a)
				continue
			}
			selection.Objects = append(selection.Objects, writeback.Selected{Object: a.identity(k.name), Singleton: a.Singleton, Multi: a.Multi})
			if len(a.Collectors) > 0 {
				e.lay(before[key{name, a.Target}], b, a, k)
			}
		}
		selections = append(selections, selection)
	}
	for at, s := range before {
		if e.subjects[at] == nil {
			delete(e.stale, at)
			e.unwant(s)
		}
	}
	e.wants = writeback.Resolve(selections)
	e.touchAll()
}

// lay puts a subject in its place, a new one for nil.
func (e *Engine) lay(s *subject, b *Binding, a Asked, k *kind) {
	if s == nil {
		s = &subject{key: key{b.Name, a.Target}, changed: map[string]struct{}{}}
	}
	if s.place(b, a, k) {
		e.stale[s.key] = s
	}
	e.subjects[s.key] = s
	e.about[s.id] = append(e.about[s.id], s)
}

func (e *Engine) undecide(binding string, a Asked) {
	if len(a.Collectors) == 0 {
		return
	}
	t := a.Target
	t.Version = ""
	if e.undecided[t] == nil {
		e.undecided[t] = map[string]bool{}
	}
	e.undecided[t][binding] = true
}
