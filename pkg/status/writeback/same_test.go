package writeback

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSame(t *testing.T) {
	cases := map[string]struct {
		reason string
		a, b   any
		want   bool
	}{
		"Whole":     {"JSON has one kind of number", int64(1), 1.0, true},
		"Unsigned":  {"whatever holds it", uint64(1 << 63), math.Ldexp(1, 63), false},
		"Large":     {"a float is its shortest text, which may be another whole number", int64(1 << 53), math.Ldexp(1, 53), true},
		"Beyond":    {"whole numbers are not rounded", int64(1<<53 + 1), math.Ldexp(1, 53), false},
		"MinusZero": {"it is read again as zero", math.Copysign(0, -1), int64(0), true},
		"Text":      {"a text is no number", "1", int64(1), false},
		"Numbers":   {"nor the other way", int64(1), "1", false},
		"NaN":       {"JSON has none", math.NaN(), math.NaN(), false},
		"Null":      {"nothing is nothing", nil, nil, true},
		"NullZero":  {"and not zero", nil, int64(0), false},
		"Deep":      {"wherever numbers are", m{"a": []any{m{"b": 1.0}}}, m{"a": []any{m{"b": int64(1)}}}, true},
		"Missing":   {"a field that is missing is not null", m{"a": nil, "b": nil}, m{"a": nil, "c": nil}, false},
		"More":      {"one more is a difference", m{"a": nil}, m{"a": nil, "c": nil}, false},
		"Longer":    {"in a list, too", []any{int64(1)}, []any{int64(1), int64(1)}, false},
		"NoStatus":  {"no status is not an empty one", m(nil), m{}, false},
		"Kinds":     {"an empty list is no empty map", []any{}, m{}, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := []bool{same(tc.a, tc.b), same(tc.b, tc.a)}
			if d := cmp.Diff([]bool{tc.want, tc.want}, got); d != "" {
				t.Errorf("%s, in either order (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
