package status

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// TestSize compares the counted length of random results with that of their JSON.
func TestSize(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"", "a", "edge-7", `"`, `\`, "\n", "\t\r\b\f", "\x00\x1f\x7f", "<&>", "ü", "\u2028", "\xff", "{}", "1e+06"}
	text := func() (s string) {
		for range r.IntN(4) {
			s += parts[r.IntN(len(parts))]
		}
		return s
	}
	raw := func(start, end string) control.JSON {
		inner, err := json.Marshal([]string{text(), text()})
		if err != nil {
			t.Fatal(err)
		}
		return control.JSON{Raw: []byte(start + []string{"", " ", "\n"}[r.IntN(3)] + string(inner) + end)}
	}
	for range 5000 {
		s, b := text(), r.IntN(2) == 0
		values := []control.Value{
			{Type: control.TypeNull}, {Type: control.TypeString, String: &s}, {Type: control.TypeNumber, Number: &s}, {Type: control.TypeBool, Bool: &b},
			{Type: control.TypeObject, Object: raw(`{"a":`, "}")}, {Type: control.TypeArray, Array: raw(`[`, "]")}, {Type: control.TypeObject, Object: control.JSON{Raw: []byte(`"<\u2028` + "\u2028" + `"`)}},
		}
		result := control.NamedStatusCombination{Name: text(), ColumnNames: []string{text()}, RowErrors: []control.RowError{{Error: text()}}}
		for range r.IntN(4) {
			row := control.StatusCombinationRow{}
			for range r.IntN(4) {
				row.Columns = append(row.Columns, values[r.IntN(len(values))])
			}
			if row.Columns == nil && r.IntN(2) == 0 {
				row.Columns = []control.Value{}
			}
			result.Rows = append(result.Rows, row)
		}
		written, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		if got := size(&result); got != len(written) {
			t.Fatalf("want %d, got %d: %s", len(written), got, written)
		}
	}
}
