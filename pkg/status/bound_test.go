package status_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

// bulky is a result of that many bytes, nearly.
func bulky(name string, bytes int) control.NamedStatusCombination {
	const row = 1000
	out := control.NamedStatusCombination{Name: name, ColumnNames: []string{"c"}}
	for ; bytes > 0; bytes -= row {
		text := strings.Repeat("x", row-len(`{"columns":[{"type":"String","string":""}]},`))
		out.Rows = append(out.Rows, control.StatusCombinationRow{Columns: []control.Value{{Type: control.TypeString, String: &text}}})
	}
	return out
}

func TestBound(t *testing.T) {
	const max = status.MaxResults
	angles, broken := strings.Repeat("<", max/5), bulky("a", 10)
	broken.AggregationErrors = []control.AggregationError{{ColumnName: "c", Error: angles}}
	listed, failed := bulky("a", 10), bulky("a", 10)
	listed.Rows[0].Columns[0] = control.Value{Type: control.TypeObject, Object: control.JSON{Raw: json.RawMessage(`"` + angles + `"`)}}
	failed.RowErrors = []control.RowError{{Error: angles}}
	cases := map[string]struct {
		reason string
		in     []control.NamedStatusCombination
		bare   []string // whose rows are left out
	}{
		"none":       {"there are no results", nil, nil},
		"small":      {"all is far from too large", []control.NamedStatusCombination{bulky("b", 1000), bulky("a", 1000)}, nil},
		"just":       {"it has to be written to know that it fits", []control.NamedStatusCombination{bulky("b", max/2-5000), bulky("a", max/2-5000)}, nil},
		"one":        {"one is too large", []control.NamedStatusCombination{bulky("a", max+1)}, []string{"a"}},
		"second":     {"the first by name goes first", []control.NamedStatusCombination{bulky("b", max-2000), bulky("a", 3000)}, []string{"b"}},
		"between":    {"what comes after it may fit", []control.NamedStatusCombination{bulky("c", 5000), bulky("a", max/2), bulky("b", max)}, []string{"b"}},
		"escaped":    {"as JSON it is longer", []control.NamedStatusCombination{listed}, []string{"a"}},
		"errors":     {"errors count, too", []control.NamedStatusCombination{broken}, []string{"a"}},
		"row errors": {"so do those of rows", []control.NamedStatusCombination{failed}, []string{"a"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := yamlOf(t, control.CombinedStatus{Results: tc.in})
			got, warnings := status.Bound(tc.in)
			var bare, warned []string
			for _, r := range got {
				i := slices.IndexFunc(tc.in, func(in control.NamedStatusCombination) bool { return in.Name == r.Name })
				if len(r.Rows) > 0 {
					if diff := cmp.Diff(tc.in[i], r); diff != "" {
						t.Errorf("result %s is another one:\n%s", r.Name, diff)
					}
					continue
				}
				bare = append(bare, r.Name)
				want := control.NamedStatusCombination{Name: r.Name, ColumnNames: []string{"c"}, AggregationErrors: []control.AggregationError{
					{Error: "the rows are left out: all results about one object may have 1048576 bytes together"}}}
				if diff := cmp.Diff(want, r); diff != "" {
					t.Errorf("what stands for rows (-want +got):\n%s", diff)
				}
			}
			for _, w := range warnings {
				warned = append(warned, w.Collector)
			}
			if diff := cmp.Diff([][]string{tc.bare, tc.bare}, [][]string{bare, warned}); diff != "" {
				t.Errorf("%s: left out and warned of (-want +got):\n%s", tc.reason, diff)
			}
			if text, err := json.Marshal(got); err != nil || len(text) > max+len(got)+1 {
				t.Errorf("%d bytes, %v", len(text), err)
			}
			if again, more := status.Bound(got); len(more) > 0 || cmp.Diff(got, again) != "" {
				t.Errorf("a second time: %v", more)
			}
			if yamlOf(t, control.CombinedStatus{Results: tc.in}) != before {
				t.Error("the results that were given changed")
			}
		})
	}
}
