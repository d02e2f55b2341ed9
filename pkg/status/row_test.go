package status_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

const tooCostly = "failed to evaluate expression: the expression costs too much: it goes through too many parts, or compares or searches too large ones"

// program compiles a query with so many columns of one kind of definition.
func program(t testing.TB, filter *string, n int, def func(i int) string) *status.Program {
	t.Helper()
	c := &control.StatusCollector{Spec: control.StatusCollectorSpec{Filter: filter, Limit: new(int64)}}
	*c.Spec.Limit = 10_000
	for i := range n {
		c.Spec.Select = append(c.Spec.Select, control.NamedExpression{Name: fmt.Sprint("c", i), Def: def(i)})
	}
	p, errs := status.Compile(c)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return p
}

func conditions(n int) map[string]any {
	var list []any
	for i := range n {
		list = append(list, map[string]any{"type": fmt.Sprint("Type", i), "status": "True", "reason": "AsIntended", "message": "all is as it should be"})
	}
	return map[string]any{"conditions": list}
}

// TestRowCost holds that what people write fits into the budget of a row with room to spare.
func TestRowCost(t *testing.T) {
	filter := `returned.status.conditions.exists(c, c.type == "Type499" && c.status == "True")`
	for name, def := range map[string]func(int) string{
		"exists": func(i int) string {
			return fmt.Sprintf(`returned.status.conditions.exists(c, c.type == "None%d" && c.status == "True")`, i)
		},
		"filter": func(i int) string {
			return fmt.Sprintf(`returned.status.conditions.filter(c, c.type == "Type%d").map(c, c.status)`, i)
		},
	} {
		p := program(t, &filter, 20, def)
		got, _ := p.Evaluate(t.Context(), nil, []status.Report{{Cluster: "a", Known: true, Status: conditions(500)}}, status.Options{})
		if len(got.Rows) != 1 || slices.ContainsFunc(got.Rows[0].Columns, costly) {
			t.Errorf("%s: a filter and 20 columns over 500 conditions pass: %v", name, got.Rows)
		}
	}
}

func costly(v control.Value) bool { return v.String != nil && *v.String == tooCostly }

const fourDeep = "[1,2,3,4,5,6].map(a,[1,2,3,4,5,6].map(b,[1,2,3,4,5,6].map(c,[1,2,3,4].map(d,[a,b,c,d])))).size()"

// TestRowBudget holds that what a row costs has an end, that the columns which it is spent on come first,
// and that no other row makes a difference.
func TestRowBudget(t *testing.T) {
	p := program(t, nil, 12, func(i int) string {
		if i == 11 {
			return "inventory.name"
		}
		return fourDeep
	})
	all := []status.Report{{Cluster: "a", Known: true, Status: conditions(1)}, {Cluster: "b"}, {Cluster: "c", Known: true, Status: conditions(500)}}
	together, _ := p.Evaluate(t.Context(), nil, all, status.Options{})
	var failed []bool
	for _, v := range together.Rows[0].Columns {
		failed = append(failed, costly(v))
	}
	if diff := cmp.Diff([]bool{false, false, true, true, true, true, true, true, true, true, true, false}, failed); diff != "" {
		t.Errorf("the budget of a row is spent in order, and what is cheap still passes (-want +got):\n%s", diff)
	}
	rows := p.NewRows(nil, status.Options{})
	for _, one := range slices.Backward(all) {
		if err := rows.Set(t.Context(), one, one); err != nil {
			t.Fatal(err)
		}
	}
	if again, _ := rows.Combine(); cmp.Diff(together, again) != "" {
		t.Errorf("one by one, in another order and twice they are the same:\n%s", cmp.Diff(together, again))
	}
}

// TestManyColumns holds that the time grows with the number of columns and not with its square.
func TestManyColumns(t *testing.T) {
	spec := control.StatusCollectorSpec{Limit: new(int64)}
	text := "returned.status.nothing"
	for i := range 2000 {
		spec.GroupBy = append(spec.GroupBy, control.NamedExpression{Name: fmt.Sprint("n", i), Def: "1"})
		spec.CombinedFields = append(spec.CombinedFields, control.CombinedField{Name: fmt.Sprint("n", i+1000), Type: control.AggregatorSum, Subject: &text})
	}
	p, errs := status.Compile(&control.StatusCollector{Spec: spec})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	start := time.Now()
	got, _ := p.Evaluate(context.Background(), nil, make([]status.Report, 100), status.Options{})
	if took := time.Since(start); took > 10*time.Second || len(got.RowErrors) != 2000 {
		t.Errorf("2000 columns of 100 clusters took %v, with %d errors", took, len(got.RowErrors))
	}
	if diff := cmp.Diff("n1000", got.RowErrors[0].ColumnName); diff != "" || !strings.Contains(got.RowErrors[0].Error, "no such key: nothing") {
		t.Errorf("errors are sorted by column, in order (-want +got):\n%s", diff)
	}
}

// BenchmarkWorstRow is one row whose columns want more than there is.
func BenchmarkWorstRow(b *testing.B) {
	p := program(b, nil, 20, func(int) string { return fourDeep })
	rows, report := p.NewRows(nil, status.Options{}), status.Report{Cluster: "a"}
	b.ReportAllocs()
	for b.Loop() {
		if err := rows.Set(context.Background(), report); err != nil {
			b.Fatal(err)
		}
	}
}
