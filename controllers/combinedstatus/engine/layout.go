package engine

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// layout is what follows from Bindings and kinds alone.
type layout struct {
	asked     map[Resource]struct{} // by any Binding
	returning map[Target]bool       // without version: whose status is asked for; true: the one status
	undecided map[About]bool        // of a kind that is not known, or not evaluated yet
	unsure    map[string]bool       // policies whose error depends on such a kind
	errors    map[string]string     // of policies
	wants     *writeback.Wants
}

func newLayout(bindings map[string]*Binding) layout {
	l := layout{
		asked: map[Resource]struct{}{}, returning: map[Target]bool{}, undecided: map[About]bool{},
		unsure: map[string]bool{}, errors: map[string]string{}, wants: writeback.Resolve(nil),
	}
	for _, b := range bindings {
		for _, a := range b.Objects {
			if a.anything() {
				l.asked[a.Resource] = struct{}{}
			}
			if a.Singleton || a.Multi {
				t := a.Target.anyVersion()
				l.returning[t] = l.returning[t] || a.Singleton
			}
		}
	}
	return l
}

// layOut finds all subjects anew, and what is asked for their statuses. Subjects that stay keep their rows.
func (e *Engine) layOut() {
	before := e.subjects
	e.subjects, e.about, e.layout = map[key]*subject{}, map[reports.Identity][]*subject{}, newLayout(e.bindings)
	var selections []writeback.Selection
	for _, name := range slices.Sorted(maps.Keys(e.bindings)) {
		selections = append(selections, e.layBinding(e.bindings[name], before))
	}
	for at, s := range before {
		if e.subjects[at] == nil {
			e.unmark(s)
			e.unwant(s)
		}
	}
	e.wants = writeback.Resolve(selections)
	for _, err := range e.wants.Errors() {
		e.errors[err.Policy] = err.Text
	}
	e.touchAll()
}

// layBinding lays what one Binding names, of which some was there before.
func (e *Engine) layBinding(b *Binding, before map[key]*subject) writeback.Selection {
	out := writeback.Selection{Policy: b.Name, Destinations: b.Destinations}
	for _, a := range b.Objects {
		k := e.kinds[a.Resource]
		if k == nil || k.name == "" {
			e.undecide(b.Name, a)
			continue
		}
		out.Objects = append(out.Objects, writeback.Selected{Object: a.identity(k.name), Singleton: a.Singleton, Multi: a.Multi})
		if len(a.Collectors) > 0 {
			e.lay(before[key{b.Name, a.Target}], b, a, k)
		}
	}
	return out
}

// lay puts a subject in its place, a new one for nil.
func (e *Engine) lay(s *subject, b *Binding, a Asked, k *kind) {
	if s == nil {
		s = &subject{key: key{b.Name, a.Target}, changed: map[string]struct{}{}}
	}
	before := s.about
	if s.place(b, a, k) {
		e.mark(s)
	}
	if !s.decided || s.about != before {
		e.undecideSubject(s)
	}
	e.subjects[s.key] = s
	e.about[s.id] = append(e.about[s.id], s)
	e.about[s.id.Unmapped()] = append(e.about[s.id.Unmapped()], s)
}

// undecideSubject says that a subject may have its CombinedStatus under another name than before.
func (e *Engine) undecideSubject(s *subject) {
	s.decided = false
	e.undecided[s.whatAbout()] = true
}

func (l *layout) undecide(binding string, a Asked) {
	t := a.Target.anyVersion()
	if l.returning[t] {
		l.unsure[binding] = true
	}
	if len(a.Collectors) > 0 {
		l.undecided[About{binding, t}] = true
	}
}

// PolicyError is what is wrong with what a policy asks for, as far as that is known; "" for nothing. It is
// not sure while it depends on objects of a kind that is not known yet, or may depend on Bindings that are not.
func (e *Engine) PolicyError(policy string) (text string, sure bool) {
	return e.errors[policy], !e.unsure[policy] && len(e.lost) == 0
}
