package engine

import (
	"cmp"
	"context"
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

// subject is what a CombinedStatus is about, with the rows of its collectors.
type subject struct {
	key
	about        status.Subject
	id           reports.Identity
	collectors   []string
	destinations []string       // sorted
	object       map[string]any // nil: there is none
	rows         map[*status.Program]*status.Rows
	changed      map[string]struct{} // destinations whose rows are old
	name         Name                // under which the result is wanted
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
	s.object, s.rows = obj, nil
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
	return moved || s.rows == nil || s.about != before.about || !slices.Equal(s.collectors, before.collectors)
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
			for _, rows := range s.rows {
				rows.Delete(cluster)
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

// evaluated is a result and what it took.
type evaluated struct {
	results  []control.NamedStatusCombination
	warnings []status.Warning
	rows     int // that were evaluated
}

// evaluate brings the rows up to date and makes results of them. An error is that of ctx; nothing is lost
// then.
func (s *subject) evaluate(ctx context.Context, programs []*status.Program, seen reports.Object, o status.Options) (out evaluated, err error) {
	kept := make(map[*status.Program]*status.Rows, len(programs))
	some := reported(seen, s.changedInOrder())
	var all []status.Report
	for _, p := range programs {
		rows, set := s.rows[p], some
		if rows == nil {
			if all == nil {
				all = reported(seen, s.destinations)
			}
			rows, set = p.NewRows(s.object, o), all
		}
		if err := rows.Set(ctx, set...); err != nil {
			return out, err
		}
		kept[p] = rows
		one, warnings := rows.Combine()
		out.results, out.warnings = append(out.results, one), append(out.warnings, warnings...)
		out.rows += len(set)
	}
	s.rows = kept
	clear(s.changed)
	return out, nil
}

func (s *subject) changedInOrder() []string {
	out := make([]string, 0, len(s.changed))
	for cluster := range s.changed {
		out = append(out, cluster)
	}
	slices.Sort(out)
	return out
}

// reported is what clusters report about an object.
func reported(seen reports.Object, clusters []string) []status.Report {
	out := make([]status.Report, 0, len(clusters))
	for _, cluster := range clusters {
		r := seen.In(cluster)
		out = append(out, status.Report{Cluster: cluster, Status: r.Status, Known: r.Known, Updated: r.Updated})
	}
	return out
}
