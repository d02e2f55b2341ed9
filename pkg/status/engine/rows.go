package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// table has the rows of one collector about one subject.
type table struct {
	rows *status.Rows
	// stale are the destinations with stale rows, sorted. Tables share the array, which is never written to.
	stale []string
}

// evaluate evaluates stale rows, and reports whether it finished before more stopped it.
func (t *table) evaluate(ctx context.Context, collector string, about reports.Object, more func(Step) bool) (done bool, err error) {
	for len(t.stale) > 0 {
		if err := t.rows.Set(ctx, ReportFrom(about, t.stale[0])); err != nil {
			return false, err
		}
		t.stale = t.stale[1:]
		if !more(Step{collector}) {
			return false, nil
		}
	}
	return true, nil
}

// addStale adds sorted destinations with stale rows.
func (t *table) addStale(clusters []string) {
	if len(t.stale) == 0 {
		t.stale = clusters
		return
	}
	t.stale = slices.Concat(t.stale, clusters)
	slices.Sort(t.stale)
	t.stale = slices.Compact(t.stale)
}

func (t *table) delete(cluster string) {
	t.rows.Delete(cluster)
	if at, is := slices.BinarySearch(t.stale, cluster); is {
		t.stale = slices.Concat(t.stale[:at], t.stale[at+1:])
	}
}

// evaluate updates the rows, and reports whether it finished before more stopped it. The only error is that of ctx. The next
// call continues after either.
func (s *subject) evaluate(
	ctx context.Context, programs []*status.Program, about reports.Object, o status.Options, more func(Step) bool,
) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	s.syncTables(programs, o)
	for _, p := range programs {
		if done, err := s.tables[p].evaluate(ctx, p.Name(), about, more); err != nil || !done {
			return false, err
		}
	}
	return true, nil
}

// syncTables adds a table for each new program, drops the others, and marks the changed rows as stale.
func (s *subject) syncTables(programs []*status.Program, o status.Options) {
	kept, changed := make(map[*status.Program]*table, len(programs)), slices.Sorted(maps.Keys(s.changed))
	for _, p := range programs {
		t := s.tables[p]
		if t == nil {
			t = &table{rows: p.NewRows(s.object, o), stale: s.destinations}
		} else {
			t.addStale(changed)
		}
		kept[p] = t
	}
	s.tables = kept
	clear(s.changed)
}

// ReportFrom is what a cluster reports about an object, as collectors see it.
func ReportFrom(about reports.Object, cluster string) status.Report {
	r := about.In(cluster)
	return status.Report{Cluster: cluster, Status: r.Status, Known: r.Known, Updated: r.Updated,
		Manifest: r.Manifest.Plain(), Failure: r.Manifest.Failure()}
}
