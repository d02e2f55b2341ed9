package status

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// TestFleetStatusCells wants nothing in a table that acts on a terminal, or breaks a line.
func TestFleetStatusCells(t *testing.T) {
	cases := map[string]struct{ reason, text, want string }{
		"Plain":  {"most text", "Ready", "Ready"},
		"Lines":  {"a line is a line", "a\nb", "a b"},
		"Tab":    {"and a cell a cell", "a\tb", `a\tb`},
		"Escape": {"colours are the terminal's", "\x1b[31m", `\x1b[31m`},
		"Long":   {"what is too long to be looked at", strings.Repeat("ä", 200), strings.Repeat("ä", 159) + "…"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, cell(tc.text)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestFleetStatusLines wants every kind of object, value and error in its place.
func TestFleetStatusLines(t *testing.T) {
	text, raw := "word", func(s string) control.JSON { return control.JSON{Raw: json.RawMessage(s)} }
	clusters := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	yes := true
	o := combine.Object{
		Destinations: clusters, Reporting: []string{"b"},
		Combined: &control.CombinedStatus{Results: []control.NamedStatusCombination{
			{Name: "nothing", Rows: []control.StatusCombinationRow{{}}},
			{Name: "values", ColumnNames: []string{"x"}, Rows: []control.StatusCombinationRow{
				{Columns: []control.Value{{Type: control.TypeString, String: &text}}},
				{Columns: []control.Value{{Type: control.TypeNumber, Number: &text}}},
				{Columns: []control.Value{{Type: control.TypeBool, Bool: &yes}}},
				{Columns: []control.Value{{Type: control.TypeObject, Object: raw("{}")}}},
				{Columns: []control.Value{{Type: control.TypeArray, Array: raw("[1]")}}},
				{Columns: []control.Value{{Type: control.TypeNull}}},
			}, RowErrors: []control.RowError{{WEC: control.WEC{ClusterID: "a"}, Error: "no bool"}}},
		}},
	}
	o.Subject.Kind, o.Subject.Name, o.Subject.Policy = "Namespace", "shop", "p"
	want := `Namespace shop (p): 1 of 8 clusters reported, not a, c, d, e, f and 2 more
  nothing
  values
    X
    word
    word
    true
    {}
    [1]
    null
    error in a, filter: no bool
`
	var b strings.Builder
	if err := (&command{out: cli.Printer{Format: "table"}}).print(&b, []combine.Object{o}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
