package krm

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// anyAdorned draws nodes as anyComments does, with anchors and tags.
func anyAdorned(depth int) *rapid.Generator[*yaml.Node] {
	return rapid.Custom(func(t *rapid.T) *yaml.Node {
		n, anchors := anyComments(depth).Draw(t, "node"), 0
		var adorn func(*yaml.Node, bool)
		adorn = func(n *yaml.Node, isKey bool) {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				if !isKey {
					anchors++
					n.Anchor = fmt.Sprintf("a%d", anchors)
				}
			case 1:
				n.Style |= yaml.TaggedStyle
			case 2:
				if !isKey {
					n.Tag, n.Style = "!own", n.Style|yaml.TaggedStyle
				}
			}
			for i, c := range n.Content {
				adorn(c, n.Kind == yaml.MappingNode && i%2 == 0)
			}
		}
		adorn(n, false)
		return n
	})
}

// TestWhatIsWrittenReadsBack holds that any object at all is written as the same data with the same
// comments.
func TestWhatIsWrittenReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := MapNode(StringNode("v"), anyAdorned(3).Draw(t, "value"), StringNode("w"), anyAdorned(3).Draw(t, "next"))
		if own := anyAdorned(3).Draw(t, "root"); own.Kind == yaml.MappingNode && len(own.Content) > 0 {
			root = own
		}
		before := placesOf(root)
		text, err := Write([]*Object{FromNode(root)})
		if err != nil {
			t.Fatal(err)
		}
		checkReadsBack(t, root, text)
		list, at, ok := AppendItems(nil, []*Object{FromNode(root), FromNode(root)})
		switch {
		case !ok: // as when the last text of one keeps empty lines
			whole := MapNode(StringNode("kind"), StringNode("ResourceList"), StringNode("items"), &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{root}})
			if text, err = WriteRaw(FromNode(whole)); err != nil {
				t.Fatal(err)
			}
			checkReadsBack(t, whole, text)
		case string(list[:at[1]]) != string(list[at[1]:]):
			t.Fatalf("the same twice is not:\n%s", list)
		default:
			checkItem(t, root, list[:at[1]])
		}
		if d := cmp.Diff(before, placesOf(root)); d != "" {
			t.Fatalf("writing has moved comments of what was written:\n%s", d)
		}
	})
}

func checkReadsBack(t rapid.TB, root *yaml.Node, text []byte) {
	back, err := Read("back", text, Limits{})
	if err != nil || len(back) != 1 || !Equivalent(root, back[0].Node()) {
		t.Fatalf("%v\n%s", err, text)
	}
	if d := cmp.Diff(encode.CommentLines(root), encode.CommentLines(back[0].document())); d != "" {
		t.Fatalf("comments (-had +has):\n%s\n%s", d, text)
	}
}

func checkItem(t rapid.TB, root *yaml.Node, text []byte) {
	back, err := Read("back", append([]byte("items:\n"), text...), Limits{})
	if err != nil || len(back) != 1 || !Equivalent(root, back[0].Lookup("items").Content[0]) {
		t.Fatalf("%v\n%s", err, text)
	}
	if d := cmp.Diff(encode.CommentLines(root), encode.CommentLines(back[0].document())); d != "" {
		t.Fatalf("comments (-had +has):\n%s\n%s", d, text)
	}
}

// TestUnwritable holds that what no library can write is refused, with what and where it is.
func TestUnwritable(t *testing.T) {
	broken := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: "\tx\ny", Style: yaml.LiteralStyle}
	root := one(t, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  b: c # d\n").Node()
	SetField(Lookup(root, "data"), "b", broken)
	want := "ConfigMap a cannot be written: the YAML library writes text for it that cannot be read back: not valid YAML: found a tab character where an indentation space is expected; " + encode.Hint
	for name, write := range map[string]func(*Object) error{
		"Write":    func(o *Object) error { _, err := Write([]*Object{o}); return err },
		"WriteRaw": func(o *Object) error { _, err := WriteRaw(o); return err },
	} {
		if err := write(FromNode(root)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, _, ok := AppendItems(nil, []*Object{one(t, "a: b\n"), FromNode(root)}); ok {
		t.Error("it was written as an item")
	}
}
