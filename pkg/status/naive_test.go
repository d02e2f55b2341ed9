package status_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

// naive answers a collector as one reads it: a table of destinations, a selection of rows, and then a
// list or one pass over the table for every cell of the result. It knows neither the Program nor the
// language room: the library is asked afresh for every cell.
type naive struct {
	t       testing.TB
	spec    control.StatusCollectorSpec
	obj     map[string]any
	reports []status.Report
}

func (n *naive) eval(text string, r status.Report) (ref.Val, error) {
	env, err := cel.NewEnv(
		cel.Variable("obj", cel.MapType(cel.StringType, cel.DynType)), cel.Variable("returned", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("inventory", cel.MapType(cel.StringType, cel.StringType)), cel.Variable("propagation", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("manifest", cel.MapType(cel.StringType, cel.DynType)),
	)
	if err != nil {
		n.t.Fatal(err)
	}
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		n.t.Fatal(issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		n.t.Fatal(err)
	}
	at := r.Updated
	if !r.Known {
		at = time.Unix(0, 0).UTC()
	}
	manifest := r.Manifest
	if manifest == nil {
		manifest = map[string]any{"state": "", "message": "", "conditions": []any{}, "feedback": map[string]any{}}
	}
	v, _, err := program.Eval(map[string]any{
		"manifest": manifest,
		"obj":      n.obj, "returned": map[string]any{"status": r.Status},
		"inventory": map[string]string{"name": r.Cluster}, "propagation": map[string]any{"lastReturnedUpdateTimestamp": at},
	})
	if err != nil {
		return nil, errors.New("failed to evaluate expression: " + err.Error())
	}
	return v, nil
}

// failed are the clusters whose failure counts: of a collector that asks for manifest, none.
func (n *naive) failed() (errs []control.RowError) {
	texts := []string{}
	if n.spec.Filter != nil {
		texts = append(texts, *n.spec.Filter)
	}
	for _, c := range slices.Concat(n.spec.Select, n.spec.GroupBy) {
		texts = append(texts, c.Def)
	}
	for _, c := range n.spec.CombinedFields {
		if c.Subject != nil {
			texts = append(texts, *c.Subject)
		}
	}
	if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "manifest.") }) {
		return nil
	}
	for _, r := range n.reports {
		if r.Failure != "" {
			errs = append(errs, control.RowError{WEC: control.WEC{ClusterID: r.Cluster}, Error: r.Failure})
		}
	}
	sort.Slice(errs, func(i, j int) bool { return errs[i].WEC.ClusterID < errs[j].WEC.ClusterID })
	return errs
}

// cell is one error, by row and column.
type cell struct{ cluster, column string }

// where is the selection: rows that stay, in the order of clusters, and what went wrong in them.
func (n *naive) where() (kept []status.Report, errs map[cell]string) {
	errs = map[cell]string{}
	sort.Slice(n.reports, func(i, j int) bool { return n.reports[i].Cluster < n.reports[j].Cluster })
	for _, r := range n.reports {
		if n.spec.Filter == nil {
			kept = append(kept, r)
			continue
		}
		v, err := n.eval(*n.spec.Filter, r)
		switch {
		case err != nil:
			errs[cell{r.Cluster, ""}] = err.Error()
		case v == types.False:
			continue
		case v != types.True:
			errs[cell{r.Cluster, ""}] = "filter expression has type " + v.Type().TypeName() + " but expected bool or null"
		}
		kept = append(kept, r)
	}
	return kept, errs
}

func (n *naive) result() control.NamedStatusCombination {
	out := control.NamedStatusCombination{Name: "c", ColumnNames: []string{}}
	failed := n.failed()
	if len(n.spec.Select) == 0 {
		out.RowErrors = failed
		n.reports = slices.DeleteFunc(n.reports, func(r status.Report) bool {
			return slices.ContainsFunc(failed, func(e control.RowError) bool { return e.WEC.ClusterID == r.Cluster })
		})
		kept, errs := n.where()
		n.aggregate(&out, kept, errs, len(failed))
		return out
	}
	kept, _ := n.where()
	out.RowErrors = failed
	for _, c := range n.spec.Select {
		out.ColumnNames = append(out.ColumnNames, c.Name)
	}
	for _, r := range kept {
		var row control.StatusCombinationRow
		for _, c := range n.spec.Select {
			v, err := n.eval(c.Def, r)
			if err != nil {
				v = types.String(err.Error())
			}
			row.Columns = append(row.Columns, n.value(v))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// value goes by way of the Go value, as KubeStellar does.
func (n *naive) value(v ref.Val) control.Value {
	number := func(s string) control.Value { return control.Value{Type: control.TypeNumber, Number: &s} }
	switch g := v.Value().(type) {
	case string:
		return control.Value{Type: control.TypeString, String: &g}
	case bool:
		return control.Value{Type: control.TypeBool, Bool: &g}
	case int64, uint64:
		return number(fmt.Sprint(g))
	case float64:
		return number(strconv.FormatFloat(g, 'g', -1, 64))
	}
	raw, err := json.Marshal(v.Value())
	if err != nil {
		return control.Value{Type: control.TypeNull}
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		n.t.Fatal(err)
	}
	if depth(plain) > 50 {
		return n.value(types.String(tooDeep))
	}
	return control.Value{Type: control.TypeObject, Object: control.JSON{Raw: raw}}
}

// line is a row of the table that has no error.
type line struct {
	cluster  string
	keys     []ref.Val
	subjects []ref.Val
}

func (n *naive) lines(kept []status.Report, errs map[cell]string) (lines []line) {
	for _, r := range kept {
		l := line{cluster: r.Cluster}
		ok := errs[cell{r.Cluster, ""}] == ""
		for _, c := range n.spec.GroupBy {
			v, err := n.eval(c.Def, r)
			if err == nil && (v.Type() == types.ListType || v.Type() == types.MapType) {
				err = errors.New("groupBy expression has type " + v.Type().TypeName() + " but a group key cannot be a list or a map")
			}
			if err != nil {
				errs[cell{r.Cluster, c.Name}], ok = err.Error(), false
			}
			l.keys = append(l.keys, v)
		}
		for _, c := range n.spec.CombinedFields {
			var v ref.Val
			var err error
			if c.Subject != nil {
				v, err = n.eval(*c.Subject, r)
			}
			if err != nil {
				errs[cell{r.Cluster, c.Name}], ok = err.Error(), false
			}
			l.subjects = append(l.subjects, v)
		}
		if ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// together compares keys as Go values: a NaN is not even its own.
func together(a, b []ref.Val) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (n *naive) aggregate(out *control.NamedStatusCombination, kept []status.Report, errs map[cell]string, failed int) {
	lines := n.lines(kept, errs)
	var groups [][]line
	for i, l := range lines {
		if slices.ContainsFunc(lines[:i], func(e line) bool { return together(e.keys, l.keys) }) {
			continue
		}
		g := []line{l}
		for _, later := range lines[i+1:] {
			if together(l.keys, later.keys) {
				g = append(g, later)
			}
		}
		groups = append(groups, g)
	}
	if len(n.spec.GroupBy) == 0 && len(kept)+failed == 0 {
		groups = [][]line{nil}
	}
	sort.SliceStable(groups, func(i, j int) bool { return n.less(groups[i][0], groups[j][0]) })
	columns := []string{""}
	for _, c := range n.spec.GroupBy {
		columns = append(columns, c.Name)
	}
	for _, c := range n.spec.CombinedFields {
		columns = append(columns, c.Name)
	}
	out.ColumnNames = append(out.ColumnNames, columns[1:]...)
	clusters := map[string]bool{}
	for at := range errs {
		clusters[at.cluster] = true
	}
	for _, column := range columns {
		for _, cluster := range slices.Sorted(maps.Keys(clusters)) {
			if text := errs[cell{cluster, column}]; text != "" {
				out.RowErrors = append(out.RowErrors, control.RowError{WEC: control.WEC{ClusterID: cluster}, ColumnName: column, Error: text})
				break
			}
		}
	}
	for _, g := range groups {
		n.groupRow(out, g)
	}
}

// less orders by the values as they are shown, then by their types, then by cluster.
func (n *naive) less(a, b line) bool {
	var kindsA, kindsB string
	for i := range a.keys {
		x, y := n.value(a.keys[i]), n.value(b.keys[i])
		if x.Type != y.Type {
			return x.Type < y.Type
		}
		if x.Type == control.TypeNumber && *x.Number != *y.Number {
			p, _ := strconv.ParseFloat(*x.Number, 64)
			q, _ := strconv.ParseFloat(*y.Number, 64)
			if p != q {
				return p < q || math.IsNaN(q) && !math.IsNaN(p)
			}
		} else if s, t := n.text(x), n.text(y); s != t {
			return s < t
		}
		kindsA, kindsB = kindsA+a.keys[i].Type().TypeName()+" ", kindsB+b.keys[i].Type().TypeName()+" "
	}
	if kindsA != kindsB {
		return kindsA < kindsB
	}
	return a.cluster < b.cluster
}

func (n *naive) text(v control.Value) string {
	text, err := json.Marshal(v)
	if err != nil {
		n.t.Fatal(err)
	}
	return string(text)
}

// groupRow makes one pass over the group for every cell.
func (n *naive) groupRow(out *control.NamedStatusCombination, g []line) {
	row := control.StatusCombinationRow{Columns: []control.Value{}}
	for i := range n.spec.GroupBy {
		row.Columns = append(row.Columns, n.value(g[0].keys[i]))
	}
	for i, c := range n.spec.CombinedFields {
		numbers, problem := n.numbers(g, i)
		answer, unknown := n.answer(c.Type, numbers, len(g))
		if unknown != "" {
			problem = unknown
		}
		if c.Type == control.AggregatorCount {
			problem = ""
		}
		row.Columns = append(row.Columns, answer)
		if problem != "" {
			out.AggregationErrors = append(out.AggregationErrors, control.AggregationError{ColumnName: c.Name, Error: problem})
		}
	}
	out.Rows = append(out.Rows, row)
}

func (n *naive) numbers(g []line, field int) (numbers []float64, problem string) {
	for _, l := range g {
		if l.subjects[field] == nil {
			continue
		}
		var f float64
		why := ""
		switch v := l.subjects[field].Value().(type) {
		case int64:
			f = float64(v)
		case uint64:
			f = float64(v)
		case float64:
			f = v
		case string:
			var err error
			if f, err = strconv.ParseFloat(v, 64); err != nil {
				why = "failed to parse combinedField subject as a float: " + err.Error()
			}
		default:
			why = fmt.Sprintf("combinedField subject has unexpected type %T", v)
		}
		if why == "" {
			numbers = append(numbers, f)
		} else if problem == "" {
			problem = "for WEC " + l.cluster + ", " + why
		}
	}
	return numbers, problem
}

func (n *naive) answer(kind control.AggregatorType, numbers []float64, rows int) (control.Value, string) {
	sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
	for _, f := range numbers {
		sum += f
		if !math.IsNaN(f) {
			least, most = math.Min(least, f), math.Max(most, f)
		}
	}
	double := func(f float64) control.Value { return n.value(types.Double(f)) }
	switch kind {
	case "COUNT":
		return n.value(types.Int(rows)), ""
	case "SUM":
		return double(sum), ""
	case "MIN":
		return double(least), ""
	case "MAX":
		return double(most), ""
	case "AVG":
		if rows == 0 {
			return double(math.NaN()), "no values to average"
		}
		return double(sum / float64(rows)), ""
	}
	return control.Value{Type: control.TypeNull}, "unsupported aggregation type " + string(kind)
}

// TestNaive compares both on random collectors and reports.
func TestNaive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := &control.StatusCollector{Spec: anySpec().Draw(rt, "spec")}
		c.Name = "c"
		p, errs := status.Compile(c)
		if p == nil {
			rt.Fatal(errs)
		}
		obj := map[string]any{"spec": map[string]any{"replicas": int64(2), "name": "web"}}
		all := anyReports().Draw(rt, "reports")
		checkLaws(t, p, obj, all, status.Options{})
		got, _ := p.Evaluate(context.Background(), obj, all, status.Options{})
		want := (&naive{t: t, spec: c.Spec, obj: obj, reports: slices.Clone(all)}).result()
		if d := cmp.Diff(want, got); d != "" {
			rt.Fatalf("the naive answer (-) differs (+):\n%s", d)
		}
	})
}
