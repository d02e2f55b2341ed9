package cel_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/cel"
)

func TestPlain(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text string
		want         any
		err          string
	}{
		"object":     {"maps and lists", "{'a': [1, 'x', true, null, {'b': 1.5}]}", map[string]any{"a": []any{int64(1), "x", true, nil, map[string]any{"b": 1.5}}}, ""},
		"data":       {"what a variable holds", "input.spec.ports[0]", map[string]any{"name": "http", "port": int64(80)}, ""},
		"whole":      {"whole numbers are exact", "[input.big, 9223372036854775807, 18446744073709551615u, 7u]", []any{int64(9007199254740993), int64(9223372036854775807), uint64(18446744073709551615), int64(7)}, ""},
		"texts":      {"what CEL writes as texts", "[timestamp('2026-01-01T02:00:00+02:00'), duration('90s'), b'ab']", []any{"2026-01-01T00:00:00Z", "90s", "YWI="}, ""},
		"texts maps": {"maps of texts", "names", map[string]any{"z": "26", "a": "1", "m": "13"}, ""},
		"empty":      {"empty ones", "[[], {}]", []any{[]any{}, map[string]any{}}, ""},
		"no number":  {"JSON has none of these", "[{'a': 0.0 / 0.0}]", nil, "[0].a: the number NaN has no JSON form"},
		"type":       {"nor types", "{'a': {'b': [int]}}", nil, ".a.b[0]: a value of type type has no JSON form"},
		"optional":   {"nor what may be there", "[optional.of(1)]", nil, "[0]: a value of type optional_type has no JSON form"},
		"keys":       {"keys are texts", "{'a': {1: 2}}", nil, ".a: a key of type int has no JSON form"},
		"deep":       {"not too deep", "dyn([1])" + strings.Repeat(".map(a,dyn([a]))", 100), nil, "nests more than 100 levels"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := env(t).Compile(tc.text)
			if err != nil {
				t.Fatal(err)
			}
			v, err := p.Eval(context.Background(), vars(), cel.MaxCost)
			if err != nil {
				t.Fatal(err)
			}
			got, err := cel.Plain(v)
			if err == nil {
				err = errNone
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || !strings.HasSuffix(err.Error(), tc.err) {
				t.Errorf("%s: got %v, want %q (-want +got):\n%s", tc.reason, err, tc.err, diff)
			}
		})
	}
}

type none struct{}

func (none) Error() string { return "" }

var errNone = none{}

// TestPlainIsACopy holds that what is made of a variable's data can be changed.
func TestPlainIsACopy(t *testing.T) {
	data := map[string]any{"l": []any{int64(1)}}
	p, err := env(t).Compile("input")
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Eval(t.Context(), cel.NewVars(map[string]any{"input": data}), 100)
	if err != nil {
		t.Fatal(err)
	}
	got, err := cel.Plain(v)
	if err != nil {
		t.Fatal(err)
	}
	got.(map[string]any)["l"].([]any)[0] = "changed"
	if diff := cmp.Diff(map[string]any{"l": []any{int64(1)}}, data); diff != "" {
		t.Errorf("the variable stays (-want +got):\n%s", diff)
	}
}
