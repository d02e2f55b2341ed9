package status

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// MaxResults is how many bytes of JSON all results in one CombinedStatus may have together. With the rest of the object that
// is well below the 1.5 MiB that etcd accepts.
const MaxResults = 1 << 20

// leftOut is the error in a result without its rows. It has no number that changes, so that a result which stays too large
// stays the same.
var leftOut = fmt.Sprintf("the rows are left out: all results about one object may have %d bytes together", MaxResults)

// Bound makes results fit into one CombinedStatus. In the order of their names, each keeps its rows if they fit beside those
// before it. Otherwise it keeps its name and columns, gets an error that names no column, and there is a Warning. Results
// that fit are returned as they are.
func Bound(results []control.NamedStatusCombination) ([]control.NamedStatusCombination, []Warning) {
	atMost := 0
	for i := range results {
		atMost += longest(&results[i])
	}
	if atMost <= MaxResults {
		return results, nil
	}
	out := slices.Clone(results)
	slices.SortStableFunc(out, func(a, b control.NamedStatusCombination) int { return strings.Compare(a.Name, b.Name) })
	left, bare := MaxResults, make([]control.NamedStatusCombination, len(out))
	for i, r := range out {
		bare[i] = control.NamedStatusCombination{Name: r.Name, ColumnNames: r.ColumnNames,
			AggregationErrors: []control.AggregationError{{Error: leftOut}}}
		left -= size(&bare[i])
	}
	var warnings []Warning
	for i := range out {
		if more := size(&out[i]) - size(&bare[i]); more <= left {
			left -= more
			continue
		}
		out[i] = bare[i]
		warnings = append(warnings, Warning{Collector: out[i].Name, Text: leftOut})
	}
	return out, warnings
}

// longest is an upper bound of size. Most results are far below the limit, and need not be written to know that.
func longest(r *control.NamedStatusCombination) int {
	const escaped, names = 6, 100 // bytes for one in a text, and for the names of fields around a value
	n := names + escaped*len(r.Name)
	for _, c := range r.ColumnNames {
		n += names + escaped*len(c)
	}
	for _, row := range r.Rows {
		n += names
		for i := range row.Columns {
			n += names + escaped*payloadLen(&row.Columns[i])
		}
	}
	for _, e := range r.RowErrors {
		n += names + escaped*(len(e.WEC.ClusterID)+len(e.ColumnName)+len(e.Error))
	}
	for _, e := range r.AggregationErrors {
		n += names + escaped*(len(e.ColumnName)+len(e.Error))
	}
	return n
}

func payloadLen(v *control.Value) int {
	n := len(v.Object.Raw) + len(v.Array.Raw)
	if v.String != nil {
		n += len(*v.String)
	}
	if v.Number != nil {
		n += len(*v.Number)
	}
	return n
}
