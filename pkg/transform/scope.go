package transform

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// subject is a workload object and what decides whether and how it is transformed.
type subject struct {
	object    *krm.Object
	place     int    // among the items
	resource  string // as Bindings say, else as the kind is called or guessed to be
	namespace string // that it ships to
	known     bool   // whether the kind is, and with it its resource and scope
	bound     bool   // some Binding names it
}

// inScope reports whether s is to be transformed.
func (t *transformer) inScope(s *subject) bool {
	return s.bound || t.opts.Scope == scopeAll || len(t.bindings) == 0
}

// readSubjects collects the workload among items, in an order that does not depend on theirs.
func (t *transformer) readSubjects(items []*krm.Object) {
	for i, o := range items {
		if workload.IsWorkload(o) && t.kinds.Selectable(o) {
			kind := t.kinds.Of(o)
			t.subjects = append(t.subjects, &subject{object: o, place: i, resource: kind.Plural,
				namespace: t.kinds.NamespaceOf(o), known: kind.Known})
		}
	}
	slices.SortFunc(t.subjects, func(a, b *subject) int { return workload.Compare(a.object, b.object) })
}

type subjectKey struct{ group, name string }

// readBindings marks what Bindings name. That they name objects which are not there is for
// bundle-manifestwork to report.
func (t *transformer) readBindings(items []*krm.Object) {
	for _, o := range items {
		if o.Is(control.Group, control.KindBinding) {
			t.bindings = append(t.bindings, o)
		}
	}
	slices.SortFunc(t.bindings, workload.Compare)
	byName := map[subjectKey][]*subject{}
	for _, s := range t.subjects {
		key := subjectKey{s.object.Group(), s.object.Name()}
		byName[key] = append(byName[key], s)
	}
	for _, o := range t.bindings {
		b, errs := control.DecodeBinding(o)
		t.fault(o, errs)
		if len(errs) > 0 {
			continue
		}
		for _, e := range b.Spec.Workload.ClusterScope {
			bind(byName[subjectKey{e.Group, e.Name}], e.Resource, "")
		}
		for _, e := range b.Spec.Workload.NamespaceScope {
			bind(byName[subjectKey{e.Group, e.Name}], e.Resource, e.Namespace)
		}
	}
}

// bind marks those of candidates that an entry of a Binding names, just as bundle-manifestwork
// finds them: one of an unknown kind may be of any resource, when no other is of that one.
func bind(candidates []*subject, resource, namespace string) {
	var exact, guessed []*subject
	for _, s := range candidates {
		switch {
		case !s.livesIn(namespace):
		case s.resource == resource:
			exact = append(exact, s)
		case !s.known:
			guessed = append(guessed, s)
		}
	}
	if len(exact) == 0 {
		exact = guessed
	}
	for _, s := range exact {
		s.bound, s.resource = true, resource
	}
}

// livesIn reports whether s is in that namespace, "" for none. Of a kind of unknown scope an object
// that names no namespace may have none or be in "default".
func (s *subject) livesIn(namespace string) bool {
	if !s.known && s.namespace == "" {
		return namespace == "" || namespace == "default"
	}
	return s.namespace == namespace
}
