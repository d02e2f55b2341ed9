package status_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/limits"
)

const tooDeep = "failed to evaluate expression: the value is nested deeper than 50 levels"

// nested is a value inside so many lists.
func nested(levels int, inmost any) any {
	for range levels {
		inmost = []any{inmost}
	}
	return inmost
}

// depth is how many lists and maps are inside each other.
func depth(v any) (levels int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			levels = max(levels, depth(e))
		}
		return levels + 1
	case map[string]any:
		for _, e := range v {
			levels = max(levels, depth(e))
		}
		return levels + 1
	}
	return 0
}

// written is a CombinedStatus as it stands in a file.
func written(t testing.TB, results ...control.NamedStatusCombination) []byte {
	t.Helper()
	results, _ = status.Bound(results)
	c, err := status.New(status.Subject{Version: "v1", Kind: "X", Resource: "xs", Name: "x", Policy: "p"}, results)
	if err != nil {
		t.Fatal(err)
	}
	o, err := krm.FromTyped(c)
	if err != nil {
		t.Fatal(err)
	}
	text, err := krm.Write([]*krm.Object{o})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// checkReadable expects that the file can be read, and is then the same again.
func checkReadable(t testing.TB, results ...control.NamedStatusCombination) {
	t.Helper()
	text := written(t, results...)
	objects, err := krm.Read("status.yaml", text, krm.Limits{})
	if err != nil {
		t.Fatalf("what is written can be read: %v", err)
	}
	again, err := krm.Write(objects)
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("what was read is written as it was, %v (-want +got):\n%s", err, cmp.Diff(string(text), string(again)))
	}
}

// columns selects expressions.
func columns(t testing.TB, defs ...string) *status.Program {
	t.Helper()
	c := &control.StatusCollector{}
	c.Name = "c"
	for _, def := range defs {
		c.Spec.Select = append(c.Spec.Select, control.NamedExpression{Name: def, Def: def})
	}
	p, errs := status.Compile(c)
	if p == nil {
		t.Fatal(errs)
	}
	return p
}

func TestDepth(t *testing.T) {
	inText := strings.Repeat("[", limits.Depth) + "1" + strings.Repeat("]", limits.Depth)
	cases := map[string]struct {
		reason, def string
		value       any
		want        bool // a value
	}{
		"Deepest":    {"the bound is allowed", "returned.status.a", nested(limits.Depth, int64(1)), true},
		"TooDeep":    {"one more is not", "returned.status.a", nested(limits.Depth+1, int64(1)), false},
		"Around":     {"what stands around a value counts", "returned.status", nested(limits.Depth, int64(1)), false},
		"Map":        {"maps are levels, too", "returned.status", nested(limits.Depth-1, map[string]any{}), false},
		"Literal":    {"a list may be written in the expression", inText, nil, true},
		"LiteralToo": {"and be too deep there", "[" + inText + "]", nil, false},
		"Mixed":      {"both may add to a depth", "[returned.status.a]", nested(limits.Depth, int64(1)), false},
		"Part":       {"a part of what is too deep may be had", "returned.status.a[0]", nested(limits.Depth+1, int64(1)), true},
		"Huge":       {"API servers hand out what is deeper than any file", "returned.status.a", nested(9_000, int64(1)), false},
		"Size":       {"what is not written may be as deep as it likes", "size(returned.status.a)", nested(9_000, int64(1)), true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			all := []status.Report{{Cluster: "a", Known: true, Status: map[string]any{"a": tc.value}}}
			got, warnings := columns(t, tc.def).Evaluate(t.Context(), nil, all, status.Options{})
			cell := got.Rows[0].Columns[0]
			if d := cmp.Diff(tc.want, cell.String == nil || *cell.String != tooDeep); d != "" || len(warnings) > 0 {
				t.Errorf("%s (-want +got):\n%s%v, %v", tc.reason, d, cell, warnings)
			}
			checkReadable(t, got)
		})
	}
}

// TestRoom writes a part of the most that results may be, so deep that YAML makes the most of it, and
// expects that all of it leaves a file room for more.
func TestRoom(t *testing.T) {
	const part = 16
	inmost := make([]any, status.MaxResults/part/len("1,"))
	for i := range inmost {
		inmost[i] = int64(1)
	}
	all := []status.Report{{Cluster: "a", Known: true, Status: map[string]any{"a": nested(limits.Depth-1, inmost)}}}
	got, _ := columns(t, "returned.status.a").Evaluate(t.Context(), nil, all, status.Options{})
	text := written(t, got)
	const most = 60 << 20
	if len(text) < status.MaxResults || part*len(text) > most || most > krm.DefaultLimits.Bytes {
		t.Errorf("%d bytes of JSON make %d bytes in a file", status.MaxResults, part*len(text))
	}
	checkReadable(t, got)
}

// FuzzDepth puts values of any depth and shape into a status. Whatever comes of them can be read again,
// and is an error exactly when it is too deep.
func FuzzDepth(f *testing.F) {
	f.Add(uint16(limits.Depth), uint64(0), "k", "leaf")
	f.Add(uint16(limits.Depth+1), ^uint64(0), "k", "")
	f.Add(uint16(196), uint64(0xaaaa), strings.Repeat("k", 2000), "a\nb\n")
	f.Add(uint16(48), uint64(0xf0f0f0f0f0f0f0f0), "\x00\n<<", "\u0085\u2028\ufeff\x7f")
	f.Add(uint16(3), uint64(5), "", "~")
	f.Fuzz(func(t *testing.T, levels uint16, shape uint64, key, leaf string) {
		if len(key)+len(leaf) > 5_000 || levels > 2_000 {
			return
		}
		key = strings.ToValidUTF8(key, "?") // as all JSON is
		var value any = strings.ToValidUTF8(leaf, "?")
		for i := range levels {
			if shape>>(i%64)&1 == 0 {
				value = []any{value, nil}
			} else {
				value = map[string]any{key: value}
			}
		}
		all := []status.Report{{Cluster: "a", Known: true, Status: map[string]any{"a": value}}}
		got, _ := columns(t, "returned.status.a", "returned.status", "[returned.status]").Evaluate(t.Context(), nil, all, status.Options{NullAsNull: true})
		checkReadable(t, got)
		for i, cell := range got.Rows[0].Columns {
			failed := cell.String != nil && *cell.String == tooDeep
			if have := depth(value) + i; failed != (have > limits.Depth) {
				t.Errorf("%d levels, bound %d: %v", have, limits.Depth, cell)
			}
		}
	})
}
