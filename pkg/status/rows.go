package status

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/expression"
)

// Rows are the results of a Program for one object, one row per cluster. They are kept, so that one report can be replaced
// without evaluating the others.
type Rows struct {
	evaluator
	rows []row // by cluster
}

// NewRows returns Rows without reports. A nil object is one that does not exist.
func (p *Program) NewRows(obj map[string]any, o Options) *Rows {
	return &Rows{evaluator: evaluator{Program: p, vars: expression.NewVars(obj), options: o}}
}

// Set evaluates reports, and replaces earlier ones of the same clusters; of two for one cluster the last counts. It stops
// only when ctx ends, and keeps the reports before that.
func (r *Rows) Set(ctx context.Context, reports ...Report) error {
	made := make([]row, 0, len(reports))
	defer func() { r.take(made) }()
	for _, report := range reports {
		if err := ctx.Err(); err != nil {
			return err
		}
		made = append(made, r.row(report))
	}
	return nil
}

// take inserts rows: a few one by one, many by sorting.
func (r *Rows) take(made []row) {
	if len(made) <= 8 {
		for _, one := range made {
			if at, found := r.find(one.cluster); found {
				r.rows[at] = one
			} else {
				r.rows = slices.Insert(r.rows, at, one)
			}
		}
		return
	}
	all := append(r.rows, made...)
	slices.SortStableFunc(all, func(a, b row) int { return strings.Compare(a.cluster, b.cluster) })
	r.rows = all[:0]
	for i := range all {
		if i+1 == len(all) || all[i].cluster != all[i+1].cluster {
			r.rows = append(r.rows, all[i])
		}
	}
	clear(all[len(r.rows):])
}

// Delete removes a cluster that is no longer a destination, and reports whether it was one.
func (r *Rows) Delete(cluster string) bool {
	at, found := r.find(cluster)
	if found {
		r.rows = slices.Delete(r.rows, at, at+1)
	}
	return found
}

func (r *Rows) find(cluster string) (int, bool) {
	return slices.BinarySearchFunc(r.rows, cluster, func(one row, cluster string) int { return cmp.Compare(one.cluster, cluster) })
}

// Len is the number of clusters.
func (r *Rows) Len() int { return len(r.rows) }

// Evaluate makes the result of reports in any order: one for each destination of the object, including those that do not
// report. When ctx ends early, the result is empty: ask ctx.
func (p *Program) Evaluate(
	ctx context.Context, obj map[string]any, reports []Report, o Options,
) (control.NamedStatusCombination, []Warning) {
	rows := p.NewRows(obj, o)
	if rows.Set(ctx, reports...) != nil {
		return control.NamedStatusCombination{}, nil
	}
	return rows.Combine()
}
