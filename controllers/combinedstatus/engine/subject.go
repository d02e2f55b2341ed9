package engine

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// key is an object under a Binding.
type key struct {
	binding string
	target  Target
}

func (k key) compare(b key) int {
	return cmp.Or(cmp.Compare(k.binding, b.binding), k.target.compare(b.target))
}

// whatAbout is what the labels of its CombinedStatus say.
func (k key) whatAbout() About { return About{k.binding, k.target.anyVersion()} }

// subject is what a CombinedStatus is about, with the rows of its collectors.
type subject struct {
	key
	about        status.Subject
	id           reports.Identity
	collectors   []string
	destinations []string       // sorted
	object       map[string]any // nil: there is none
	tables       map[*status.Program]*table
	changed      map[string]struct{} // destinations whose rows are old in all tables
	stale        bool                // it waits to be evaluated
	decided      bool                // it was evaluated since it is about this
	name         Name                // under which wanted is asked for
	wanted       Wanted
}

// report notes that a cluster reports something else, and says whether that matters.
func (s *subject) report(cluster string) bool {
	_, matters := slices.BinarySearch(s.destinations, cluster)
	if matters {
		s.changed[cluster] = struct{}{}
	}
	return matters
}

// setObject puts another object in place; no row is worth anything then.
func (s *subject) setObject(obj map[string]any) {
	s.object, s.tables = obj, nil
	s.about.UID = metadataText(obj, "uid")
}

// place puts the subject where a Binding has it now, and reports whether anything changes.
func (s *subject) place(b *Binding, a Asked, k *kind) bool {
	before := *s
	s.id = s.target.identity(k.name)
	s.collectors = slices.Compact(slices.Sorted(slices.Values(a.Collectors)))
	if obj := k.objects[s.target.place()]; !sameVersion(obj, s.object) || s.id != before.id {
		s.setObject(obj)
	}
	s.about = status.Subject{
		Group: a.Group, Version: a.Version, Kind: k.name, Resource: a.Plural, Namespace: a.Namespace, Name: a.Name,
		UID: s.about.UID, Policy: b.Name, PolicyUID: b.PolicyUID,
	}
	moved := s.move(b.Destinations)
	return moved || s.tables == nil || s.about != before.about || !slices.Equal(s.collectors, before.collectors)
}

// move changes the destinations, and reports whether they are others now.
func (s *subject) move(destinations []string) bool {
	if slices.Equal(s.destinations, destinations) {
		return false
	}
	before := s.destinations
	s.destinations = destinations
	for _, cluster := range before {
		if _, stays := slices.BinarySearch(destinations, cluster); !stays {
			delete(s.changed, cluster)
			for _, t := range s.tables {
				t.drop(cluster)
			}
		}
	}
	for _, cluster := range destinations {
		if _, was := slices.BinarySearch(before, cluster); !was {
			s.changed[cluster] = struct{}{}
		}
	}
	return true
}

// combine makes results of the rows.
func (s *subject) combine(programs []*status.Program) (results []control.NamedStatusCombination, warnings []status.Warning) {
	for _, p := range programs {
		one, odd := s.tables[p].rows.Combine()
		odd = slices.DeleteFunc(odd, func(w status.Warning) bool { return w.Mild })
		results, warnings = append(results, one), append(warnings, odd...)
	}
	return results, warnings
}
