package edit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// TestEachInParts edits so many items that several are edited at once, and compares with one at a time.
func TestEachInParts(t *testing.T) {
	var text strings.Builder
	for i := range 20 * smallestPart {
		fmt.Fprintf(&text, "---\nkind: A # %d\nn: '%d'\nmetadata: {name: a-%d}\nlist: [%s]\n", i, i, i, strings.Repeat("x, ", i))
	}
	in := &fn.Input{Items: read(t, text.String())}
	filter := func(n *yaml.RNode) error {
		switch name := n.GetName(); {
		case strings.HasSuffix(name, "7"):
			return errors.New("no " + name)
		case strings.HasSuffix(name, "3"):
			return nil
		}
		return n.PipeE(yaml.SetField("new", yaml.MustParse("[of: "+n.GetName()+"]")))
	}
	got, err := Each(t.Context(), in, nil, filter)
	if err != nil {
		t.Fatal(err)
	}
	want := fn.NewOutput(in)
	var errs []string
	for i, o := range in.Items {
		edited, err := filtered(o, filter)
		want.Items[i] = edited
		if err != nil {
			errs = append(errs, err.Error())
		}
	}
	if d := cmp.Diff(write(t, want.Items), write(t, got.Items)); d != "" {
		t.Errorf("(-one at a time +in parts):\n%s", d)
	}
	for i, r := range got.Results {
		if r.Message != errs[i] {
			t.Errorf("result %d says %q, want %q", i, r.Message, errs[i])
		}
	}
	if len(got.Results) != len(errs) {
		t.Errorf("%d errors, want %d", len(got.Results), len(errs))
	}
}

// TestPanicInParts has a filter panic: the caller of Each can recover from it.
func TestPanicInParts(t *testing.T) {
	items := read(t, strings.Repeat("---\nkind: A\n", 4*smallestPart))
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("recovered %v, want what the filter said", p)
		}
	}()
	Each(t.Context(), &fn.Input{Items: items}, nil, func(*yaml.RNode) error { panic("broken") })
}

func TestQuote(t *testing.T) {
	long := strings.Repeat("a", 199) + "ä" + strings.Repeat("b", 1000)
	for name, tc := range map[string]struct{ reason, value, want string }{
		"short":    {"a value is shown whole", "a\n\"b\"", `"a\n\"b\""`},
		"at most":  {"as long as may be", long[:199] + "c", `"` + long[:199] + `c"`},
		"too long": {"the beginning, cut between characters", long, `"` + long[:199] + `"... (1201 bytes)`},
	} {
		if got := Quote(tc.value); got != tc.want {
			t.Errorf("%s: %s: got %s, want %s", name, tc.reason, got, tc.want)
		}
	}
}
