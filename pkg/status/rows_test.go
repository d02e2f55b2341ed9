package status_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

func compile(t testing.TB, spec string) *status.Program {
	t.Helper()
	p, errs := status.Compile(collector(t, spec))
	if p == nil {
		t.Fatal(errs)
	}
	return p
}

const sumSpec = "spec: {limit: 20, combinedFields: [{name: n, type: COUNT}, {name: sum, type: SUM, subject: returned.status.n}]}\n"

// numbers are the texts of the numbers of a result with one row.
func numbers(t testing.TB, r control.NamedStatusCombination) (out []string) {
	t.Helper()
	if len(r.Rows) != 1 {
		t.Fatalf("want one row, got %d", len(r.Rows))
	}
	for _, v := range r.Rows[0].Columns {
		out = append(out, *v.Number)
	}
	return out
}

func TestRows(t *testing.T) {
	ctx := context.Background()
	rows := compile(t, sumSpec).NewRows(nil, status.Options{})
	report := func(i, n int) status.Report {
		return status.Report{Cluster: fmt.Sprint("c", i), Known: true, Status: map[string]any{"n": int64(n)}}
	}
	var many []status.Report
	for i := range 20 {
		many = append(many, report(19-i, 1))
	}
	for _, step := range []struct {
		reason string
		do     func() error
		want   []string
	}{
		{"without reports there is the empty group", func() error { return nil }, []string{"0", "0"}},
		{"many at a time", func() error { return rows.Set(ctx, many...) }, []string{"20", "20"}},
		{"setting many again adds none", func() error { return rows.Set(ctx, many...) }, []string{"20", "20"}},
		{"one is replaced", func() error { return rows.Set(ctx, report(7, 5)) }, []string{"20", "24"}},
		{"one is added", func() error { return rows.Set(ctx, report(70, 5)) }, []string{"21", "29"}},
		{"of two for one cluster the last counts", func() error { return rows.Set(ctx, report(70, 5), report(70, 6)) }, []string{"21", "30"}},
		{"one goes", func() error {
			if !rows.Delete("c7") || rows.Delete("c7") || rows.Delete("") {
				return errors.New("what goes was there, once")
			}
			return nil
		}, []string{"20", "25"}},
	} {
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.reason, err)
		}
		result, _ := rows.Combine()
		if d := cmp.Diff(step.want, numbers(t, result)); d != "" {
			t.Errorf("%s (-want +got):\n%s", step.reason, d)
		}
	}
	if rows.Len() != 20 {
		t.Errorf("want 20 clusters, got %d", rows.Len())
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := compile(t, sumSpec)
	one := status.Report{Cluster: "c"}
	if got, _ := p.Evaluate(ctx, nil, []status.Report{one}, status.Options{}); got.Name != "" {
		t.Errorf("nothing half done is given away, got %v", got)
	}
	if err := p.NewRows(nil, status.Options{}).Set(ctx, one); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is that of the context, got %v", err)
	}
}

func TestMaxCost(t *testing.T) {
	p := compile(t, "spec: {limit: 20, select: [{name: s, def: '[1, 2, 3].all(x, x > 0)'}]}\n")
	got, _ := p.Evaluate(context.Background(), nil, []status.Report{{Cluster: "c"}}, status.Options{MaxCost: 5})
	want := "failed to evaluate expression: the expression costs too much: it goes through too many parts, or compares or searches too large ones"
	if v := got.Rows[0].Columns[0]; v.String == nil || *v.String != want {
		t.Errorf("less may be allowed than the default: want %s, got %v", want, v)
	}
}

func TestLargeValue(t *testing.T) {
	const tooLarge = "failed to evaluate expression: the value has more than 1048576 bytes"
	text := strings.Repeat("x", 1<<20)
	one := status.Report{Cluster: "c", Known: true, Status: map[string]any{"a": text, "b": text + "x"}}
	p := compile(t, "spec: {limit: 20, select: [{name: a, def: returned.status.a}, {name: b, def: returned.status.b}, {name: s, def: returned.status}]}\n")
	got, _ := p.Evaluate(context.Background(), nil, []status.Report{one}, status.Options{})
	for i, want := range []string{text, tooLarge, tooLarge} {
		if v := got.Rows[0].Columns[i]; v.String == nil || *v.String != want {
			t.Errorf("column %d: want a text of %d bytes, got %v", i, len(want), v.Type)
		}
	}
	p = compile(t, "spec: {limit: 20, groupBy: [{name: g, def: returned.status.b}], combinedFields: [{name: n, type: SUM, subject: returned.status.a}]}\n")
	got, _ = p.Evaluate(context.Background(), nil, []status.Report{one}, status.Options{})
	if d := cmp.Diff([]control.RowError{{WEC: control.WEC{ClusterID: "c"}, ColumnName: "g", Error: tooLarge}}, got.RowErrors); d != "" {
		t.Errorf("a group, too (-want +got):\n%s", d)
	}
	p = compile(t, "spec: {limit: 20, combinedFields: [{name: n, type: SUM, subject: returned.status.a}]}\n")
	got, _ = p.Evaluate(context.Background(), nil, []status.Report{one}, status.Options{})
	want := "for WEC c, failed to parse combinedField subject as a float: a text of 1048576 bytes is not a number"
	if d := cmp.Diff([]control.AggregationError{{ColumnName: "n", Error: want}}, got.AggregationErrors); d != "" {
		t.Errorf("what is no number is not quoted at any length (-want +got):\n%s", d)
	}
}

func TestConcurrentUse(t *testing.T) {
	p := compile(t, "spec: {limit: 20, filter: 'inventory.name != \"x\"', groupBy: [{name: g, def: returned.status.g}], combinedFields: [{name: n, type: SUM, subject: 'returned.status.l.filter(x, x > 1).size()'}]}\n")
	obj := map[string]any{"spec": map[string]any{}}
	all := []status.Report{{Cluster: "a", Known: true, Status: map[string]any{"g": "g", "l": []any{int64(1), int64(2)}}}, {Cluster: "b"}}
	want, _ := p.Evaluate(context.Background(), obj, all, status.Options{})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				got, _ := p.Evaluate(context.Background(), obj, all, status.Options{})
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("others at the same time make no difference (-want +got):\n%s", d)
				}
			}
		})
	}
	group.Wait()
}
