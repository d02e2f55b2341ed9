package transform

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// subject is a workload object, and what decides whether and how it is transformed.
type subject struct {
	object    *krm.Object
	index     int    // in the items
	resource  string // the plural in Bindings, else the known or guessed one
	namespace string // that it ships to
	known     bool   // whether its kind, resource and scope are known
	bound     bool   // some Binding names it
}

// inScope reports whether the function transforms s.
func (t *transformer) inScope(s *subject) bool {
	return s.bound || t.opts.Scope == scopeAll || len(t.bindings) == 0
}

// subjectsIn is the workload among items, in an order that does not depend on theirs.
func subjectsIn(kinds *workload.Resources, items []*krm.Object) (subjects []*subject) {
	for i, o := range items {
		if workload.IsWorkload(o) && kinds.Selectable(o) {
			kind := kinds.Of(o)
			subjects = append(subjects, &subject{object: o, index: i, resource: kind.Plural, namespace: kinds.NamespaceOf(o), known: kind.Known})
		}
	}
	slices.SortFunc(subjects, func(a, b *subject) int { return workload.Compare(a.object, b.object) })
	return subjects
}

// readBindings marks the objects that Bindings name, as bundle-manifestwork finds them. That function reports names
// without an object, or with several.
func (t *transformer) readBindings(items []*krm.Object) {
	t.bindings = workload.OfKind(items, control.Group, control.KindBinding)
	var entries []workload.Entry
	for _, o := range t.bindings {
		b, errs := control.DecodeBinding(o)
		t.add(fn.FieldErrors(o, errs))
		if len(errs) == 0 {
			entries = append(entries, entriesOf(b)...)
		}
	}
	t.bind(items, entries)
}

// bind marks the subjects that entries name. A subject with a guessed resource gets the resource of the
// entry, unless the entry may mean others.
func (t *transformer) bind(items []*krm.Object, entries []workload.Entry) {
	subjects := make(map[*krm.Object]*subject, len(t.subjects))
	for _, s := range t.subjects {
		subjects[s.object] = s
	}
	for e, found := range t.kinds.Match(items, entries) {
		for _, o := range found.Objects {
			s := subjects[o]
			if s == nil {
				continue
			}
			if s.bound = true; len(found.Objects) == 1 {
				s.resource = e.Resource
			}
		}
	}
}

func entriesOf(b *control.Binding) (entries []workload.Entry) {
	for _, e := range b.Spec.Workload.ClusterScope {
		entries = append(entries, workload.Entry{Group: e.Group, Resource: e.Resource, Name: e.Name})
	}
	for _, e := range b.Spec.Workload.NamespaceScope {
		entries = append(entries, workload.Entry{Group: e.Group, Resource: e.Resource, Namespace: e.Namespace, Name: e.Name})
	}
	return entries
}
