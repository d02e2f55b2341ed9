package edit

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// TestReach edits objects within reach of metadata and spec. What comes out is what an edit of whole
// objects makes, and shares the other fields with the input.
func TestReach(t *testing.T) {
	const head = "kind: A # kind\nmetadata:\n  name: a\n"
	label := set("y", "metadata", "label")
	cases := map[string]struct {
		reason, in string
		filter     func(*yaml.RNode) error
		shown      []string // the outermost fields that filter gets
	}{
		"between":    {"a field out of reach keeps its place", "data: {b: 'x'} # data\n" + head + "# list\nlist: # of\n- c\nspec: {}\n", label, []string{"kind", "metadata", "spec"}},
		"new field":  {"a new field comes last", head + "data: {b: x}\n", set("y", "spec"), []string{"kind", "metadata"}},
		"gone field": {"a field within reach can go", "spec: x\n" + head + "data: {b: x}\n", func(n *yaml.RNode) error { return n.PipeE(yaml.Clear("spec")) }, []string{"spec", "kind", "metadata"}},
		"braces":     {"an object in braces keeps them", "{kind: A, metadata: {name: a}, data: {b: x}}\n", label, []string{"kind", "metadata"}},
		"none":       {"an object with nothing within reach gets the field", "{data: {b: x}}\n", set("y", "spec"), nil},
		"alias":      {"aliases may stand for other fields: all is within reach", head + "data: &d {b: x}\nspec: *d\n", set("y", "spec", "b"), []string{"kind", "metadata", "data", "spec"}},
		"anchor":     {"an anchor without alias is like one with", head + "data: &d {b: x}\n", label, []string{"kind", "metadata", "data"}},
		"no change":  {"nothing changes", head + "data: {b: x}\n", set("a", "metadata", "name"), []string{"kind", "metadata"}},
		"error":      {"an error leaves the object", head + "data: {b: x}\n", func(*yaml.RNode) error { return errors.New("no") }, []string{"kind", "metadata"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in, whole := &fn.Input{Items: read(t, c.in)}, &fn.Input{Items: read(t, c.in)}
			var shown []string
			out, err := Each(t.Context(), in, ReachOf("spec"), func(n *yaml.RNode) error {
				shown, _ = n.Fields()
				return c.filter(n)
			})
			want, errWhole := Each(t.Context(), whole, nil, c.filter)
			if err := errors.Join(err, errWhole); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.shown, shown); d != "" {
				t.Errorf("%s: the filter gets (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(write(t, want.Items), write(t, out.Items)); d != "" {
				t.Errorf("%s (-whole object +within reach):\n%s", c.reason, d)
			}
			if (out.Items[0] == in.Items[0]) != (want.Items[0] == whole.Items[0]) {
				t.Errorf("%s: the very same object is %t", c.reason, out.Items[0] == in.Items[0])
			}
			if d := cmp.Diff(c.in, write(t, in.Items)); d != "" {
				t.Errorf("%s: the input changed (-before +after):\n%s", c.reason, d)
			}
			if name == "between" && out.Items[0].Lookup("data") != in.Items[0].Lookup("data") {
				t.Errorf("%s: it was copied", c.reason)
			}
		})
	}
}

// TestReachAgain edits an object twice: what comes out of an edit is within reach like what was read.
func TestReachAgain(t *testing.T) {
	items := read(t, "kind: A\nmetadata: {name: a}\ndata: {b: x}\n")
	for _, value := range []string{"x", "y"} {
		out, err := Each(t.Context(), &fn.Input{Items: items}, ReachOf(), func(n *yaml.RNode) error {
			if n.Field("data") != nil {
				t.Errorf("label %s: a field out of reach is copied", value)
			}
			return set(value, "metadata", "label")(n)
		})
		if err != nil {
			t.Fatal(err)
		}
		items = out.Items
	}
	if d := cmp.Diff("kind: A\nmetadata: {name: a, label: y}\ndata: {b: x}\n", write(t, items)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
