package status_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/limits"
)

// expressions are such as people write, and such as they should not.
var expressions = []string{
	"returned.status.a", "returned.status.b", "returned.status.a.b", "has(returned.status.a)", "has(returned.status.a) && returned.status.a == returned.status.b",
	"returned.status.a > 1", "obj.spec.replicas == returned.status.a", "inventory.name", "inventory.name < 'c3'", "returned.status", "obj.spec",
	"has(returned.status.a) ? returned.status.a : 0", "double(returned.status.a)", "string(returned.status.a)", "1", "1.0", "'1'", "true", "null", "[1, 2]",
	"{'a': 1}", "int(returned.status.a) / int(returned.status.b)", "0.0 / 0.0", "-1.0 / 0.0", "type(returned.status.a)", "size(returned.status)",
	"propagation.lastReturnedUpdateTimestamp", "propagation.lastReturnedUpdateTimestamp < timestamp('2026-01-01T00:00:00Z')", "duration('1s')", "uint(returned.status.a)",
	"manifest.state", "manifest.state == 'Failed'", "manifest.conditions.exists(c, c.type == 'Applied' && c.status == 'False')", "manifest.feedback.a", "size(manifest.message)",
}

func anyExpression() *rapid.Generator[string] { return rapid.SampledFrom(expressions) }

func maybe(g *rapid.Generator[string]) *rapid.Generator[*string] { return rapid.Ptr(g, true) }

// anySpec makes valid queries with columns of different names.
func anySpec() *rapid.Generator[control.StatusCollectorSpec] {
	return rapid.Custom(func(rt *rapid.T) (s control.StatusCollectorSpec) {
		columns := func(prefix string, least int) (out []control.NamedExpression) {
			for i, def := range rapid.SliceOfN(anyExpression(), least, 3).Draw(rt, prefix) {
				out = append(out, control.NamedExpression{Name: fmt.Sprint(prefix, i), Def: def})
			}
			return out
		}
		s.Filter = maybe(anyExpression()).Draw(rt, "filter")
		switch rapid.IntRange(0, 4).Draw(rt, "mode") {
		case 0:
			s.Select = columns("s", 1)
		case 1:
			s.CombinedFields = anyFields().Draw(rt, "fields")
		case 2, 3:
			s.GroupBy, s.CombinedFields = columns("g", 1), anyFields().Draw(rt, "fields")
		}
		return s
	})
}

func anyFields() *rapid.Generator[[]control.CombinedField] {
	kinds := []control.AggregatorType{"COUNT", "SUM", "AVG", "MIN", "MAX", "sum"}
	return rapid.Custom(func(rt *rapid.T) (out []control.CombinedField) {
		for i, kind := range rapid.SliceOfN(rapid.SampledFrom(kinds), 1, 4).Draw(rt, "kinds") {
			f := control.CombinedField{Name: fmt.Sprint("f", i), Type: kind}
			if kind != control.AggregatorCount {
				def := anyExpression().Draw(rt, "subject")
				f.Subject = &def
			}
			out = append(out, f)
		}
		return out
	})
}

func anyData() *rapid.Generator[any] {
	return rapid.SampledFrom([]any{
		int64(0), int64(1), int64(2), int64(-3), int64(500000), int64(9007199254740993), 1.0, 0.5, 1e6, 0.1, 0.2, 0.7,
		"1", "x", "1e3", " 1", "NaN", "", nil, true, false, []any{int64(1)}, []any{}, map[string]any{}, map[string]any{"b": int64(1)},
		nested(limits.Depth-1, int64(1)), nested(limits.Depth, map[string]any{}), map[string]any{"b": nested(limits.Depth, "x")},
	})
}

func anyReports() *rapid.Generator[[]status.Report] {
	return rapid.Custom(func(rt *rapid.T) (out []status.Report) {
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, 14), 0, 15, rapid.ID[int]).Draw(rt, "clusters") {
			r := status.Report{Cluster: fmt.Sprint("c", i), Known: rapid.IntRange(0, 5).Draw(rt, "known") > 0}
			if r.Known {
				r.Status = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b"}), anyData(), 0, 2).Draw(rt, "status")
				if rapid.Bool().Draw(rt, "timed") {
					r.Updated = time.Date(2025, 6, rapid.IntRange(1, 3).Draw(rt, "day"), 0, 0, 0, 0, time.UTC).AddDate(rapid.IntRange(0, 1).Draw(rt, "year"), 0, 0)
				}
			}
			anyManifest(rt, &r)
			out = append(out, r)
		}
		return out
	})
}

// anyManifest is what a work may say, or not.
func anyManifest(rt *rapid.T, r *status.Report) {
	state := rapid.SampledFrom([]string{"", "", "Applied", "Failed", "Missing", "Stale"}).Draw(rt, "state")
	if state == "" {
		return
	}
	applied := map[string]any{"type": "Applied", "status": "True"}
	if state == "Failed" || state == "Missing" {
		applied["status"], r.Failure = "False", state+" in "+r.Cluster
	}
	r.Manifest = map[string]any{"state": state, "message": r.Failure, "conditions": []any{applied}, "feedback": map[string]any{"a": int64(1)}}
}
