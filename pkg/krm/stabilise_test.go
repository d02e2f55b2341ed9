package krm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// placesOf lists every comment of n with its place.
func placesOf(n *yaml.Node) (all []string) {
	var walk func(n *yaml.Node, path string)
	add := func(path, what, comment string) {
		if comment != "" {
			all = append(all, fmt.Sprintf("%s %s %q", path, what, comment))
		}
	}
	walk = func(n *yaml.Node, path string) {
		add(path, "above", n.HeadComment)
		add(path, "behind", n.LineComment)
		add(path, "below", n.FootComment)
		for i, c := range n.Content {
			step := fmt.Sprintf("%s[%d]", path, i)
			if n.Kind == yaml.MappingNode {
				step = path + "." + n.Content[i&^1].Value + []string{"", "="}[i&1]
			}
			walk(c, step)
		}
	}
	walk(n, "")
	return all
}

// stablePlaces is placesOf without what stands below the end of the object, which may belong to its
// last field, to that field's last item, or to the file.
func stablePlaces(doc *yaml.Node) []string {
	doc = CopyNode(doc)
	doc.FootComment = ""
	for n := doc.Content[0]; isBlock(n); n = n.Content[len(n.Content)-1] {
		lastOf(n).FootComment = ""
	}
	return placesOf(doc)
}

// checkStablePlaces holds that what was read is the same, comments included, after writing and reading, and,
// unless it is noise, that they are in the same places: as a file and as an item of a list.
func checkStablePlaces(t rapid.TB, source string, objs []*Object, generated bool) {
	text, err := Write(objs)
	if err != nil {
		t.Fatalf("what was read cannot be written: %v\n%s", err, source)
	}
	again, err := Read("again", text, Limits{})
	if err != nil || len(again) != len(objs) {
		t.Fatalf("%d objects became %d: %v\n%s\n---- written:\n%s", len(objs), len(again), err, source, text)
	}
	list, at, ok := AppendItems(nil, objs)
	if !ok {
		t.Fatalf("they cannot be written as items:\n%s", source)
	}
	for i, o := range objs {
		o = o.WithoutOrchestration()
		if d := cmp.Diff(encode.CommentLines(o.document()), encode.CommentLines(again[i].document())); d != "" || !Equivalent(o.Node(), again[i].Node()) {
			t.Fatalf("object %d lost something (-read +read again):\n%s\n%s\n---- written:\n%s", i, d, source, text)
		}
		if !generated {
			continue
		}
		if d := cmp.Diff(stablePlaces(o.document()), stablePlaces(again[i].document())); d != "" {
			t.Fatalf("comments of object %d have moved (-read +read again):\n%s\n%s\n---- written:\n%s", i, d, source, text)
		}
		back, err := Read("item", append([]byte("kind: ResourceList\nitems:\n"), list[at[i]:at[i+1]]...), Limits{})
		if err != nil || len(back) != 1 {
			t.Fatalf("item: %v\n%s", err, list)
		}
		if endsOpen(o.Node()) {
			continue // alone, the item may need its comments above that
		}
		item := back[0].Lookup("items").Content[0]
		if d := cmp.Diff(stablePlaces(o.document()), stablePlaces(FromNode(item).document())); d != "" {
			t.Fatalf("comments of item %d have moved (-read +read again):\n%s\n%s\n---- written:\n%s", i, d, source, list[at[i]:at[i+1]])
		}
	}
}

// TestStabilise holds where comments go that stand where the library does not print them.
func TestStabilise(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"flow":            {"behind the value", "a: # c\n  [\"-v\", \"1\"]\nb: 1\n", "a: [\"-v\", \"1\"] # c\nb: 1\n"},
		"next line":       {"behind the value", "a: # c\n  \"x\"\nb: 1\n", "a: \"x\" # c\nb: 1\n"},
		"both":            {"a line has room for one", "a: # c\n  x # d\nb: 1\n", "# c\na: x # d\nb: 1\n"},
		"explicit":        {"behind a key that has a mark", "? a # c\n: x # d\nb: 1\n", "# c\na: x # d\nb: 1\n"},
		"anchor":          {"above: the parser gives it to the first field", "a: &x # c\n  b: c\nd: *x\n", "# c\na: &x\n  b: c\nd: *x\n"},
		"tag":             {"the same", "a: !!map # c\n  b: # d\n    e: f\n", "# c\na: !!map\n  b: # d\n    e: f\n"},
		"tagged nothing":  {"the parser gives it to the next field", "a: !!str # c\nb: 1\n", "# c\na: !!str\nb: 1\n"},
		"anchored items":  {"the same with items", "a:\n- &x # c\n  - b\n- &y # d\n  e: f\n", "a:\n# c\n- &x\n  - b\n# d\n- &y\n  e: f\n"},
		"behind a dash":   {"above the item, as kpt has it", "a:\n- # c\n  b: 1\n- d\n", "a:\n# c\n- b: 1\n- d\n"},
		"in a list":       {"kpt leaves it in lists in lists", "a:\n- b:\n  - # c\n    d: 1\n", "a:\n- b:\n  - # c\n    d: 1\n"},
		"above the value": {"a value has no line above", "a:\n  # c\n  x\nb: 1\n", "# c\na: x\nb: 1\n"},
		"in brackets":     {"those that the library keeps stay", "a: [b, # c\n  d] # e\n", "a: [b, # c\n  d] # e\n"},
		"in braces":       {"those that it does not go above", "a:\n  # c\n  {b: c, # d\n  e: f}\ng: 1\n", "# c\na: {b: c, # d\n  e: f}\ng: 1\n"},
		"after an item":   {"a blank line does not make it the next one's", "a:\n- b: c\n# d\n\n- e\n", "a:\n- b: c\n# d\n- e\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			objs := read(t, c.in)
			if d := cmp.Diff(c.want, write(t, objs...)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			checkStablePlaces(t, c.in, objs, true)
		})
	}
}

func TestStablePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := anyFields().Draw(t, "text")
		if objs, err := Read("f.yaml", []byte(source), Limits{}); err == nil {
			checkStablePlaces(t, source, objs, true)
		}
	})
}

func FuzzStablePlaces(f *testing.F) {
	for _, field := range oddFields {
		f.Add([]byte(field + "\nend: x\n"))
		f.Add([]byte("in:\n- a: b\n  # c\n  " + strings.ReplaceAll(field, "\n", "\n  ") + "\nend: x\n"))
	}
	for _, text := range normalised {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if objs, err := Read("f.yaml", data, Limits{Nodes: 20_000, Aliased: 20_000}); err == nil {
			checkStablePlaces(t, string(data), objs, false)
		}
	})
}

// isBlock reports whether n is a map or list with something in it, and not in braces or brackets.
func isBlock(n *yaml.Node) bool {
	if n.Style&yaml.FlowStyle != 0 {
		return false
	}
	return n.Kind == yaml.MappingNode && len(n.Content) > 1 || n.Kind == yaml.SequenceNode && len(n.Content) > 0
}

// lastOf is the key of the last field or the last item.
func lastOf(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		return n.Content[len(n.Content)-2]
	}
	return n.Content[len(n.Content)-1]
}

// endsOpen reports whether the last text in n keeps the empty lines below it: one more, as the printer
// puts above a comment that stands below a field, would be one of them.
func endsOpen(n *yaml.Node) bool {
	for isBlock(n) {
		n = n.Content[len(n.Content)-1]
	}
	quoted := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	return n.Kind == yaml.ScalarNode && n.Style&quoted == 0 && (n.Value == "\n" || strings.HasSuffix(n.Value, "\n\n"))
}
