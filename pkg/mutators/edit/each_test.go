package edit

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func read(t testing.TB, text string) []*krm.Object {
	t.Helper()
	objs, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objs
}

func write(t testing.TB, objs []*krm.Object) string {
	t.Helper()
	data, err := krm.Write(objs)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// set is a filter that sets field path to a new node, as filters do: without comments and style.
func set(value string, path ...string) func(*yaml.RNode) error {
	return func(n *yaml.RNode) error {
		return n.PipeE(yaml.Lookup(path[:len(path)-1]...), yaml.FieldSetter{Name: path[len(path)-1], OverrideStyle: true,
			Value: yaml.NewRNode(&yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: value})})
	}
}

// filtered is o as filter leaves it.
func filtered(o *krm.Object, filter func(*yaml.RNode) error) (*krm.Object, error) {
	return one(&krm.Scratch{}, o, nil, func(_ *krm.Object, n *yaml.RNode) error { return filter(n) })
}

func TestOne(t *testing.T) {
	cases := map[string]struct {
		reason, in string
		filter     func(*yaml.RNode) error
		want       string // "" is the very same object
	}{
		"no change":  {"a filter that does nothing", "kind: A # c\n", func(*yaml.RNode) error { return nil }, ""},
		"same value": {"the value that is there, without its quotes", "kind: 'A' # c\n", set("A", "kind"), ""},
		"other type": {"the same characters as text are another value", "a: 5\n", set("5", "a"), "a: \"5\"\n"},
		"value":      {"comments stay with the field", "# head\na: 'x' # line\n# foot\n", set("y", "a"), "# head\na: y # line\n# foot\n"},
		"others":     {"what was not touched keeps quotes, braces and order", "b: {y: 1, x: \"2\"}\na: x\nc: ['d']\n", set("y", "a"), "b: {y: 1, x: \"2\"}\na: y\nc: ['d']\n"},
		"braces": {"a comment behind braces stays behind them when the map is rebuilt", "a: {b: x} # c\n", func(n *yaml.RNode) error {
			return n.PipeE(yaml.FieldSetter{Name: "a", Value: yaml.MustParse("b: y")})
		}, "a: {b: y} # c\n"},
		"filled":          {"what was empty had to have braces", "a: {}\n", set("y", "a", "b"), "a:\n  b: y\n"},
		"alias unchanged": {"aliases are written out for the filter only", "a: &x {k: v}\nb: *x\n", set("v", "b", "k"), ""},
		"alias changed":   {"an alias does not carry an edit elsewhere", "a: &x {k: v}\nb: *x\n", set("w", "b", "k"), "a: {k: v}\nb: {k: w}\n"},
		"comment only":    {"a lost comment comes back", "a: x # c\n", func(n *yaml.RNode) error { n.YNode().Content[1].LineComment = ""; return nil }, ""},
		"nothing":         {"a comment of nothing at all, which stands behind the key, is one", "a: # c\nb: x\n", set("y", "b"), "a: # c\nb: y\n"},
		"other comment":   {"another one takes its place, behind the value or the key", "a: # c\n", func(n *yaml.RNode) error { n.YNode().Content[1].LineComment = "# d"; return nil }, "a: # d\n"},
		"other key":       {"or behind the key", "a: # c\n", func(n *yaml.RNode) error { n.YNode().Content[0].LineComment = "# d"; return nil }, "a: # d\n"},
		"new comment":     {"a comment that the filter makes is a change", "a: x\n", func(n *yaml.RNode) error { n.YNode().Content[1].LineComment = "# c"; return nil }, "a: x # c\n"},
		"retyped": {"a map in the place of a text has no form to keep", "a: x # c\nb: y\n", func(n *yaml.RNode) error {
			return n.PipeE(yaml.FieldSetter{Name: "a", Value: yaml.MustParse("k: v")})
		}, "a: # c\n  k: v\nb: y\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := read(t, c.in)[0]
			got, err := filtered(o, c.filter)
			if err != nil {
				t.Fatal(err)
			}
			if (got == o) != (c.want == "") {
				t.Errorf("%s: the very same object is %t", c.reason, got == o)
			}
			if d := cmp.Diff(c.in, write(t, []*krm.Object{o})); d != "" {
				t.Errorf("%s: the input changed (-before +after):\n%s", c.reason, d)
			}
			if c.want == "" {
				return
			}
			if d := cmp.Diff(c.want, write(t, []*krm.Object{got})); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if got.Origin() != o.Origin() {
				t.Errorf("%s: an edited object must know what it was", c.reason)
			}
		})
	}
}

func TestEachReportsAll(t *testing.T) {
	in := &fn.Input{Items: read(t, "kind: A\nmetadata: {name: a}\n---\nkind: A\nmetadata: {name: b}\n---\nkind: B\nmetadata: {name: c}\n")}
	out, err := Each(t.Context(), in, nil, func(n *yaml.RNode) error {
		if n.GetKind() == "A" {
			return errors.New("no")
		}
		return n.SetName("d")
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range out.Results {
		got = append(got, fn.FormatResult(r))
	}
	if d := cmp.Diff([]string{"[error] A a no", "[error] A b no"}, got); d != "" {
		t.Errorf("every fault is reported, not the first alone (-want +got):\n%s", d)
	}
	if out.Items[0] != in.Items[0] || out.Items[2].Name() != "d" {
		t.Errorf("the others are still tried: %s", write(t, out.Items))
	}
}

func TestErrorsHideWhatObjectsHold(t *testing.T) {
	secret := yaml.MustParse("password: hunter2")
	kyamlError := yaml.ErrorIfInvalid(secret, yaml.ScalarNode)
	for name, c := range map[string]struct {
		reason string
		err    error
	}{
		"kyaml's": {"it quotes the node", kyamlError},
		"ours":    {"of several lines", errors.New("one\ntwo: node contents:\npassword: hunter2\n")},
	} {
		got := oneLine(c.err).Error()
		if d := cmp.Diff([]bool{false, false}, []bool{strings.Contains(got, "hunter2"), strings.Contains(got, "\n")}); d != "" {
			t.Errorf("%s: %s: want one line without the secret: %q", name, c.reason, got)
		}
	}
}

func TestAll(t *testing.T) {
	const three = "kind: A # one\nmetadata: {name: a}\n---\nkind: A\nmetadata: {name: b}\n---\nkind: A\nmetadata: {name: c}\n"
	cases := map[string]struct {
		reason string
		filter func([]*yaml.RNode) ([]*yaml.RNode, error)
		want   string
		same   []bool // by item of the output: whether it is the input's, at any place
	}{
		"nothing": {"the very same objects", func(n []*yaml.RNode) ([]*yaml.RNode, error) { return n, nil }, three, []bool{true, true, true}},
		"reorder": {"items keep their places", func(n []*yaml.RNode) ([]*yaml.RNode, error) { return []*yaml.RNode{n[2], n[0], n[1]}, nil }, three, []bool{true, true, true}},
		"drop": {"what does not come back is gone", func(n []*yaml.RNode) ([]*yaml.RNode, error) { return n[1:2], nil },
			"kind: A\nmetadata: {name: b}\n", []bool{true}},
		"rename": {"an edited node is still its item", func(n []*yaml.RNode) ([]*yaml.RNode, error) { return n, n[0].SetName("z") },
			"kind: A # one\nmetadata: {name: z}\n---\nkind: A\nmetadata: {name: b}\n---\nkind: A\nmetadata: {name: c}\n", []bool{false, true, true}},
		"rebuilt": {"one that was rebuilt is found by its identity, and keeps its form", func(n []*yaml.RNode) ([]*yaml.RNode, error) {
			return []*yaml.RNode{n[1], yaml.MustParse("{metadata: {name: a}, kind: A}"), n[2]}, nil
		}, three, []bool{true, true, true}},
		"added": {"an unknown object is new", func(n []*yaml.RNode) ([]*yaml.RNode, error) {
			return append([]*yaml.RNode{yaml.MustParse("{kind: B, metadata: {name: x}}")}, n...), nil
		}, three + "---\n{kind: B, metadata: {name: x}}\n", []bool{true, true, true, false}},
		"twice": {"a node that comes twice is new the second time", func(n []*yaml.RNode) ([]*yaml.RNode, error) { return append(n, n[2]), nil },
			three + "---\nkind: A\nmetadata: {name: c}\n", []bool{true, true, true, false}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in := &fn.Input{Items: read(t, three)}
			out, err := All(t.Context(), in, kio.FilterFunc(c.filter))
			if err != nil {
				t.Fatal(err)
			}
			var same []bool
			for _, o := range out.Items {
				same = append(same, o == in.Items[0] || o == in.Items[1] || o == in.Items[2])
			}
			if d := cmp.Diff(c.want, write(t, out.Items)) + cmp.Diff(c.same, same); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(three, write(t, in.Items)); d != "" {
				t.Errorf("%s: the input changed:\n%s", c.reason, d)
			}
		})
	}
	if _, err := All(t.Context(), &fn.Input{}, kio.FilterFunc(func([]*yaml.RNode) ([]*yaml.RNode, error) { return nil, errors.New("a\nb") })); err == nil || err.Error() != "a b" {
		t.Errorf("an error of the filter is the error, in one line: %v", err)
	}
}
