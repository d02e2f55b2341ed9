package status

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// Combine makes the result of the rows. It shares values with them, which must not change.
func (r *Rows) Combine() (control.NamedStatusCombination, []Warning) {
	out := control.NamedStatusCombination{Name: r.name, ColumnNames: slices.Clone(r.columnNames)}
	if r.listing {
		out.Rows = r.listed()
		r.failures(&out)
	} else {
		r.aggregated(&out)
	}
	return out, r.warnings(len(out.Rows))
}

// listed returns a row for each cluster that the filter keeps, and for those where the filter fails.
func (r *Rows) listed() (out []control.StatusCombinationRow) {
	for i := range r.rows {
		if !r.rows[i].dropped {
			out = append(out, control.StatusCombinationRow{Columns: r.rows[i].values})
		}
	}
	return out
}

// aggregated adds a row for each group.
func (r *Rows) aggregated(out *control.NamedStatusCombination) {
	groups, kept := r.grouped()
	if len(r.groups) == 0 && kept == 0 {
		groups = []*group{r.newGroup(nil)}
	}
	r.failures(out)
	out.RowErrors = append(out.RowErrors, r.rowErrors()...)
	for _, g := range groups {
		columns, errs := r.columns(g)
		out.Rows = append(out.Rows, control.StatusCombinationRow{Columns: columns})
		out.AggregationErrors = append(out.AggregationErrors, errs...)
	}
}

// group has the rows with the same values to group by.
type group struct {
	first *row // with the smallest cluster; nil for none
	aggs  []aggregate
}

func (r *Rows) newGroup(first *row) *group {
	g := &group{first: first, aggs: make([]aggregate, len(r.fields))}
	for i := range g.aggs {
		g.aggs[i] = newAggregate()
	}
	return g
}

// grouped returns the groups in order, and how many rows the filter kept, those with errors included.
func (r *Rows) grouped() (groups []*group, kept int) {
	known := map[string]*group{}
	for i := range r.rows {
		one := &r.rows[i]
		if one.dropped {
			continue
		}
		kept++
		if len(one.errs) > 0 || one.failure != "" {
			continue
		}
		g := known[one.group]
		if g == nil {
			g = r.newGroup(one)
			known[one.group] = g
			groups = append(groups, g)
		}
		for f := range g.aggs {
			g.aggs[f].add(one.cluster, one.numbers[f])
		}
	}
	slices.SortFunc(groups, compareGroups)
	return groups, kept
}

// compareGroups orders groups by their values. Of values that look the same, such as 1 and 1.0, the types decide.
func compareGroups(a, b *group) int {
	for i := range a.first.values {
		if c := compareValues(&a.first.values[i], &b.first.values[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.first.group, b.first.group)
}

// columns returns the result row of a group. A name of both a group column and a field has the value of the field.
func (r *Rows) columns(g *group) ([]control.Value, []control.AggregationError) {
	columns := make([]control.Value, 0, len(r.columnNames))
	var errs []control.AggregationError
	for i := range r.groups {
		columns = append(columns, g.first.values[i])
	}
	for i, c := range r.fields {
		last := c.last
		value, problem := g.aggs[last].result(r.fields[last].kind)
		columns = append(columns, value)
		if problem != "" && i == last {
			errs = append(errs, control.AggregationError{ColumnName: c.name, Error: problem})
		}
	}
	for i, c := range r.groups {
		if c.field >= 0 {
			columns[i] = columns[len(r.groups)+c.field]
		}
	}
	return columns, errs
}

// maxFailures is how many failures one result lists; one more error counts the rest.
const maxFailures = 100

// failures adds an error without a column for each cluster that does not have the object as it was sent, whatever the filter
// says.
func (r *Rows) failures(out *control.NamedStatusCombination) {
	n := 0
	for i := range r.rows {
		one := &r.rows[i]
		if one.failure == "" {
			continue
		}
		if n++; n <= maxFailures {
			out.RowErrors = append(out.RowErrors, control.RowError{WEC: control.WEC{ClusterID: one.cluster}, Error: one.failure})
		}
	}
	if n > maxFailures {
		out.AggregationErrors = append(out.AggregationErrors,
			control.AggregationError{Error: fmt.Sprintf("%d more clusters failed", n-maxFailures)})
	}
}

// rowErrors returns for each column, the filter first, the error of the first cluster that has one there.
func (r *Rows) rowErrors() (out []control.RowError) {
	found := map[string]control.RowError{}
	for i := range r.rows {
		for _, e := range r.rows[i].errs {
			if _, known := found[e.column]; !known {
				found[e.column] = control.RowError{WEC: control.WEC{ClusterID: r.rows[i].cluster}, ColumnName: e.column, Error: e.text}
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, name := range append([]string{""}, r.columnNames...) {
		if e, is := found[name]; is {
			out = append(out, e)
			delete(found, name)
		}
	}
	return out
}

// filteredOut returns how many clusters report, if the filter keeps none of them; otherwise 0.
func (r *Rows) filteredOut() (reporting int) {
	for i := range r.rows {
		if !r.rows[i].dropped {
			return 0
		}
		if r.rows[i].known {
			reporting++
		}
	}
	return reporting
}

// warnings returns warnings about filters that are false everywhere or null, and about results that are longer than the
// limit.
func (r *Rows) warnings(rows int) (out []Warning) {
	nulls, first := 0, ""
	if n := r.filteredOut(); n > 0 {
		out = append(out, Warning{Collector: r.name, Text: fmt.Sprintf("the filter is false for all clusters, %d of which report", n),
			Mild: true})
	}
	for i := range r.rows {
		if r.rows[i].nullFilter {
			if nulls++; nulls == 1 {
				first = r.rows[i].cluster
			}
		}
	}
	if nulls > 0 {
		out = append(out, Warning{Collector: r.name, Cluster: first,
			Text: fmt.Sprintf("the filter is null in %d of %d clusters: that is an error, not false", nulls, len(r.rows))})
	}
	if r.limit != nil && int64(rows) > *r.limit {
		out = append(out, Warning{Collector: r.name, Text: fmt.Sprintf("%d rows are more than spec.limit, %d; all are kept", rows, *r.limit)})
	}
	return out
}
