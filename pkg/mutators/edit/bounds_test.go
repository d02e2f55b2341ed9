package edit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestWideMaps edits a map of nearly a quarter of a million keys. Looking each of them up by a scan would
// take minutes, which the time limit of the test would show.
func TestWideMaps(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	const keys = 240_000
	var text strings.Builder
	entries := make(map[string]string, keys)
	text.WriteString("kind: A\ndata:\n")
	for i := range keys {
		fmt.Fprintf(&text, "  k%06d: 'v'\n", i)
		entries[fmt.Sprintf("k%06d", i)] = "v"
	}
	o := read(t, text.String())[0]
	set := func(n *yaml.RNode) error {
		return n.PipeE(yaml.Lookup("data"), yaml.FilterFunc(func(m *yaml.RNode) (*yaml.RNode, error) {
			return m, NewTextMap(entries, DropQuotes).Set(m)
		}))
	}
	if same, err := filtered(o, set); err != nil || same != o {
		t.Errorf("setting what is there changes nothing: %v", err)
	}
	entries["k000000"], entries["z"] = "w", "new"
	got, err := filtered(o, set)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"w", "v", "new", fmt.Sprint(keys + 1)}
	if d := cmp.Diff(want, []string{got.String("data", "k000000"), got.String("data", "k000001"), got.String("data", "z"), fmt.Sprint(len(got.Lookup("data").Content) / 2)}); d != "" {
		t.Errorf("one key changed, one is new (-want +got):\n%s", d)
	}
}

func TestMostFields(t *testing.T) {
	fields := make([]FieldSpec, mostFields+1)
	for i := range fields {
		fields[i].Path = "a"
	}
	if err := ValidateFields(fields[1:], field.NewPath("f")).ToAggregate(); err != nil {
		t.Errorf("as many as are allowed: %v", err)
	}
	if d := cmp.Diff("f: Too many: 1001: must have at most 1000 items", ValidateFields(fields, field.NewPath("f")).ToAggregate().Error()); d != "" {
		t.Errorf("one more (-want +got):\n%s", d)
	}
}

// TestShared puts more into many objects, a little into each, than there is room for. Whichever comes
// last, the error is the same.
func TestShared(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "---\nkind: A\nmetadata: {name: a%d}\ndata: {k: v}\n", i)
	}
	entries := map[string]string{"k": strings.Repeat("x", 1000), "l": "new"}
	for left, want := range map[int64]string{
		1000 * (999 + 5 - 1 + entrySize):      "",
		1000*(999+5-1+entrySize) - 1:          "all values that are put into objects are together larger than 1 GB",
		int64(smallestPart) * (entrySize + 1): "all values that are put into objects are together larger than 1 GB",
	} {
		m := NewTextMap(entries, DropQuotes)
		m.budget.taken.Store(sharedBytes - left)
		out, err := Each(t.Context(), &fn.Input{Items: read(t, text.String())}, nil, func(n *yaml.RNode) error {
			return n.PipeE(yaml.Lookup("data"), yaml.FilterFunc(func(d *yaml.RNode) (*yaml.RNode, error) { return d, m.Set(d) }))
		})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if d := cmp.Diff(want, got); d != "" || (out == nil) != (err != nil) {
			t.Errorf("with %d bytes left (-want +got):\n%s", left, d)
		}
	}
}
