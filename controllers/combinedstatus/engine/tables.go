package engine

import (
	"context"
	"slices"

	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// table is the rows of one collector.
type table struct {
	rows *status.Rows
	// open are the destinations whose rows are old, sorted. It is shared, so nobody changes what is in it.
	open []string
}

// catchUp evaluates what is old, and reports whether more let it come to an end.
func (t *table) catchUp(ctx context.Context, collector string, seen reports.Object, more func(Step) bool) (done bool, err error) {
	for len(t.open) > 0 {
		if err := t.rows.Set(ctx, report(seen, t.open[0])); err != nil {
			return false, err
		}
		t.open = t.open[1:]
		if !more(Step{collector}) {
			return false, nil
		}
	}
	return true, nil
}

// reopen adds destinations, sorted, to those whose rows are old.
func (t *table) reopen(clusters []string) {
	if len(t.open) == 0 {
		t.open = clusters
		return
	}
	t.open = slices.Concat(t.open, clusters)
	slices.Sort(t.open)
	t.open = slices.Compact(t.open)
}

// drop forgets a destination.
func (t *table) drop(cluster string) {
	t.rows.Delete(cluster)
	if at, old := slices.BinarySearch(t.open, cluster); old {
		t.open = slices.Concat(t.open[:at], t.open[at+1:])
	}
}

// evaluate brings the rows up to date, and reports whether more let it come to an end. An error is that of
// ctx. Nothing is lost in either case.
func (s *subject) evaluate(
	ctx context.Context, programs []*status.Program, seen reports.Object, o status.Options, more func(Step) bool,
) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	s.open(programs, o)
	for _, p := range programs {
		if done, err := s.tables[p].catchUp(ctx, p.Name(), seen, more); err != nil || !done {
			return false, err
		}
	}
	return true, nil
}

// open has a table for each program and no other, which knows what is old.
func (s *subject) open(programs []*status.Program, o status.Options) {
	kept, changed := make(map[*status.Program]*table, len(programs)), s.changedInOrder()
	for _, p := range programs {
		t := s.tables[p]
		if t == nil {
			t = &table{rows: p.NewRows(s.object, o), open: s.destinations}
		} else {
			t.reopen(changed)
		}
		kept[p] = t
	}
	s.tables = kept
	clear(s.changed)
}

func (s *subject) changedInOrder() []string {
	out := make([]string, 0, len(s.changed))
	for cluster := range s.changed {
		out = append(out, cluster)
	}
	slices.Sort(out)
	return out
}

// report is what a cluster reports about an object.
func report(seen reports.Object, cluster string) status.Report {
	r := seen.In(cluster)
	return status.Report{Cluster: cluster, Status: r.Status, Known: r.Known, Updated: r.Updated,
		Manifest: r.Manifest.Plain(), Failure: r.Manifest.Failure()}
}
