package engine

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// index is what follows from Bindings and kinds alone.
type index struct {
	resources       map[schema.GroupVersionResource]struct{} // for which a Binding requests something
	returnRequested map[ObjectRef]bool                       // without version: whose status a Binding requests; true: the singleton status
	undecided       map[ResultKey]bool                       // the kind is not known, or the rows are not evaluated yet
	unsurePolicies  map[string]bool                          // their error depends on such a kind
	policyErrors    map[string]string
	wants           *writeback.Wants
}

func newIndex(bindings map[string]*Binding) index {
	x := index{
		resources: resources(bindings), returnRequested: map[ObjectRef]bool{}, undecided: map[ResultKey]bool{},
		unsurePolicies: map[string]bool{}, policyErrors: map[string]string{}, wants: writeback.Resolve(nil),
	}
	for _, b := range bindings {
		for _, o := range b.Objects {
			if o.Singleton || o.Multi {
				ref := o.withoutVersion()
				x.returnRequested[ref] = x.returnRequested[ref] || o.Singleton
			}
		}
	}
	return x
}

// resources are the resources of the objects for which a Binding requests something.
func resources(bindings map[string]*Binding) map[schema.GroupVersionResource]struct{} {
	out := map[schema.GroupVersionResource]struct{}{}
	for _, b := range bindings {
		for _, o := range b.Objects {
			if o.wantsStatus() {
				out[o.GroupVersionResource] = struct{}{}
			}
		}
	}
	return out
}

// Reindex applies the changes of Bindings and kinds since the last call.
func (e *Engine) Reindex() {
	if !e.indexStale {
		return
	}
	e.indexStale, e.changes.Reindexed = false, true
	before := e.subjects
	e.subjects, e.byIdentity, e.index = map[subjectKey]*subject{}, map[reports.Identity][]*subject{}, newIndex(e.bindings)
	var selections []writeback.Selection
	for _, name := range slices.Sorted(maps.Keys(e.bindings)) {
		selections = append(selections, e.indexBinding(e.bindings[name], before))
	}
	for key, s := range before {
		if e.subjects[key] == nil {
			e.queue.done(s)
			e.clearDesired(s)
		}
	}
	e.index.wants = writeback.Resolve(selections)
	for _, err := range e.index.wants.Errors() {
		e.index.policyErrors[err.Policy] = err.Text
	}
	e.queueAllReturns()
}

// indexBinding adds the subjects of a Binding; existing ones keep their rows.
func (e *Engine) indexBinding(b *Binding, before map[subjectKey]*subject) writeback.Selection {
	out := writeback.Selection{Policy: b.Name, Destinations: b.Destinations}
	for _, o := range b.Objects {
		k := e.kinds[o.GroupVersionResource]
		if k == nil || k.name == "" {
			e.index.markUndecided(b.Name, o)
			continue
		}
		out.Objects = append(out.Objects, writeback.Selected{Object: o.identity(k.name), Singleton: o.Singleton, Multi: o.Multi})
		if len(o.Collectors) > 0 {
			e.indexSubject(before[subjectKey{b.Name, o.ObjectRef}], b, o, k)
		}
	}
	return out
}

// indexSubject updates a subject, a new one for nil, and adds it to the maps.
func (e *Engine) indexSubject(s *subject, b *Binding, o BoundObject, k *kind) {
	if s == nil {
		s = &subject{subjectKey: subjectKey{b.Name, o.ObjectRef}, changed: map[string]struct{}{}}
	}
	before := s.about
	if s.update(b, o, k) {
		e.queue.add(s)
	}
	if !s.decided || s.about != before {
		e.markUndecided(s)
	}
	e.subjects[s.subjectKey] = s
	e.byIdentity[s.id] = append(e.byIdentity[s.id], s)
	e.byIdentity[s.id.Unmapped()] = append(e.byIdentity[s.id.Unmapped()], s)
}

// markUndecided records that the CombinedStatus of a subject may get another name.
func (e *Engine) markUndecided(s *subject) {
	s.decided = false
	e.index.undecided[s.resultKey()] = true
}

// markUndecided records that the kind of an object is not known.
func (x *index) markUndecided(binding string, o BoundObject) {
	ref := o.withoutVersion()
	if x.returnRequested[ref] {
		x.unsurePolicies[binding] = true
	}
	if len(o.Collectors) > 0 {
		x.undecided[ResultKey{binding, ref}] = true
	}
}

// PolicyError is the error of a policy, as far as it is known; "" for none. It is not sure while it depends on objects of a
// kind that is not known yet, or while a Binding cannot be read.
func (e *Engine) PolicyError(policy string) (text string, sure bool) {
	return e.index.policyErrors[policy], !e.index.unsurePolicies[policy] && len(e.unreadable) == 0
}
