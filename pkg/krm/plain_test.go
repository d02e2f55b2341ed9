package krm

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// library is a document as the YAML library writes it.
func library(t rapid.TB, doc *yaml.Node, wide bool) string {
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	if enc.CompactSeqIndent(); wide {
		enc.DefaultSeqIndent()
	}
	if err := enc.Encode(doc); err != nil {
		t.Fatal(err)
	}
	if err := enc.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// checkPlain holds the plain writer against the library wherever it does not give up, and reports
// whether it did not.
func checkPlain(t rapid.TB, doc *yaml.Node) bool {
	wrote := false
	for _, wide := range []bool{false, true} {
		got, ok := encode.Append(nil, doc, wide)
		if !ok {
			continue
		}
		wrote = true
		if d := cmp.Diff(library(t, doc, wide), string(got)); d != "" {
			t.Fatalf("wide=%t (-library +plain):\n%s", wide, d)
		}
	}
	return wrote
}

func TestPlainWriter(t *testing.T) {
	cases := map[string]struct {
		reason, in string
		plain      bool
	}{
		"Usual":         {"what objects consist of", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels:\n    a.b/c: \"1\"\nspec:\n  replicas: 3\n  on: true\n  args:\n  - --port=80\n  - a: b\n    c: d\n  - - x\n    - y\n  e: {}\n  l: []\n  n: null\n", true},
		"Literal":       {"blocks with and without a last line end", "a: |\n  x\n\n    y\nb: |-\n  z\n  z\nl:\n- |\n  v\n  w\n- k: |\n    v\n", true},
		"Quotes":        {"both quotes without anything to escape", "a: 'x: y'\nb: \"x # y\"\n'on': 1\n", true},
		"Odd words":     {"words that only look like something else", "a: yesterday\nb: nothing\nc: off-by-one\nd: a:b\ne: a#b\nf: 1.2.3\ng: 100m\nh: ~x\ni: -x\nj: .x\n", true},
		"Negative":      {"numbers that the library has to look at", "a: -1\nb: 1.5\nc: 0x1F\nd: 017\n", true},
		"Comments":      {"above fields and behind values", "# x\n# y\na: 1 # c\nb: # d\n  # e\n  f: g # h\nl:\n# i\n- j # k\n- m: n\n# o\n- p: q # r\n  # s\n  t: u\n", true},
		"Foot comment":  {"what needs a blank line is the library's", "a: 1\n# c\n\nb: 2\n", false},
		"Inner comment": {"behind a dash", "a:\n- # c\n  # d\n  b: 1\n- - # e\n    f\n", true},
		"Block comment": {"a comment behind a block's mark is the library's", "a: | # c\n  b\n", false},
		"Empty comment": {"a comment behind braces is the library's", "a: {} # c\n", false},
		"Flow":          {"braces and brackets around words", "a: {b: c, d: [1, x.y, \"2\", 'e f', {}], g: []}\nh:\n- [i]\n- {j: k}\n- - [l]\n", true},
		"Flow marks":    {"words that are no words in braces are the library's", "a: {b: \"{\", c: d:e}\n", false},
		"Flow comment":  {"a comment behind braces is the library's", "a: {b: c} # d\n", false},
		"Alias":         {"aliases are the library's", "a: &x b\nc: *x\n", false},
		"Tag":           {"tags are the library's", "a: !!str 1\n", false},
		"Unicode":       {"what may need an escape is the library's", "a: é\n", false},
		"Keep":          {"empty lines at the end are the library's", "a: |+\n  x\n\n", false},
		"Leading blank": {"an indent hint is the library's", "a: |2\n   x\n", false},
		"Empty value":   {"nothing is spelled in many ways", "a:\n", false},
		"Long key":      {"a key that needs a line of its own", "a23456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890: 1\n", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := checkPlain(t, one(t, tc.in).document()); got != tc.plain {
				t.Errorf("%s: plain is %t, want %t", tc.reason, got, tc.plain)
			}
		})
	}
}

func TestPlainWriterOnAnyNodes(t *testing.T) {
	for name, nodes := range map[string]*rapid.Generator[*yaml.Node]{"bare": anyNode(3), "commented": anyComments(3)} {
		t.Run(name, func(t *testing.T) {
			wrote := 0
			rapid.Check(t, func(t *rapid.T) {
				root := MapNode(StringNode("v"), nodes.Draw(t, "value"), StringNode("w"), nodes.Draw(t, "next"))
				if checkPlain(t, &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{root}}) {
					wrote++
				}
			})
			if wrote == 0 {
				t.Error("the plain writer gave up on everything: nothing was compared")
			}
		})
	}
}

// anyNode draws nodes in every style, with tags that fit and tags that do not.
func anyNode(depth int) *rapid.Generator[*yaml.Node] {
	return rapid.Custom(func(t *rapid.T) *yaml.Node {
		style := rapid.SampledFrom([]yaml.Style{0, 0, 0, yaml.FlowStyle}).Draw(t, "brackets")
		switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
		case kind == 0 && depth > 0:
			return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Style: style, Content: rapid.SliceOfN(anyNode(depth-1), 0, 3).Draw(t, "list")}
		case kind == 1 && depth > 0:
			m := MapNode()
			m.Style = style
			for _, k := range rapid.SliceOfNDistinct(anyText(), 0, 3, rapid.ID[string]).Draw(t, "keys") {
				m.Content = append(m.Content, StringNode(k), anyNode(depth-1).Draw(t, "value"))
			}
			return m
		}
		n := StringNode(anyText().Draw(t, "text"))
		n.Style = rapid.SampledFrom([]yaml.Style{n.Style, 0, yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, yaml.LiteralStyle}).Draw(t, "style")
		if rapid.IntRange(0, 3).Draw(t, "retag") == 0 {
			n = &yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
			n.Tag = n.ShortTag()
		}
		return n
	})
}

// anyComments draws nodes as anyNode does, with comments in all places.
func anyComments(depth int) *rapid.Generator[*yaml.Node] {
	remarks := rapid.SampledFrom([]string{"", "", "", "", "# c", "#", "# a # b ", "# é", "no mark", "# a\n# b", "# a\n\n# b", "#\n"})
	return rapid.Custom(func(t *rapid.T) *yaml.Node {
		n := anyNode(depth).Draw(t, "node")
		var adorn func(*yaml.Node)
		adorn = func(n *yaml.Node) {
			switch rapid.IntRange(0, 8).Draw(t, "place") {
			case 0, 1:
				n.HeadComment = remarks.Draw(t, "head")
			case 2, 3:
				n.LineComment = remarks.Draw(t, "line")
			case 4:
				n.FootComment = remarks.Draw(t, "foot")
			}
			for _, c := range n.Content {
				adorn(c)
			}
		}
		adorn(n)
		return n
	})
}

func anyText() *rapid.Generator[string] {
	odd := []string{"yes", "on", "null", "1", "-1", "1:30", "0x1", ".5", "+1", "a: b", "# a", "a #b", "- a", "a\nb", "a\nb\n", " a", "a ",
		"a \nb", "\na", "2026-01-02", "=", "<<", "!x", "---", "...", "--- a", "True", "nothing", "é", "\u2028", "a:", "?", ":a", "%a", "a\n\nb\n", "-", "~"}
	return rapid.OneOf(rapid.SampledFrom(odd), rapid.StringMatching(`[ -~]{1,12}`), rapid.StringMatching(`[a-zA-Z0-9./:_-]{1,20}`), rapid.StringMatching(`[ab #:\n]{1,8}`))
}

func FuzzPlainWriter(f *testing.F) {
	for _, text := range normalised {
		f.Add([]byte(text))
	}
	for _, data := range sharedData(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		objs, err := Read("f.yaml", data, Limits{})
		if err != nil {
			return
		}
		for _, o := range objs {
			checkPlain(t, SelfContained(o.document()))
		}
	})
}

// TestStringStyleAgreesWithTheParser holds the short cuts against asking the parser about every word.
func TestStringStyleAgreesWithTheParser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[yntfoYNTFO0-9.+~<=-][a-zA-Z0-9.:_+-]{0,9}`).Draw(t, "word")
		if got, want := stringStyle(s) != 0, yaml.IsValueNonString(s); got != want {
			t.Fatalf("%q is quoted: %t, want %t", s, got, want)
		}
	})
}

// TestAppendString puts any string behind a key or a dash at some depth.
func TestAppendString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, depth, inList := anyText().Draw(t, "text"), rapid.IntRange(0, 3).Draw(t, "depth"), rapid.Bool().Draw(t, "list")
		style := rapid.SampledFrom([]yaml.Style{StringNode(s).Style, yaml.DoubleQuotedStyle, yaml.LiteralStyle}).Draw(t, "style")
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: style}
		want := library(t, nest(n, depth, inList), false)
		before, after, _ := strings.Cut(library(t, nest(StringNode("GAP"), depth, inList), false), "GAP\n")
		got, err := AppendString([]byte(before), s, style, 2*depth)
		if d := cmp.Diff(want, string(got)+after); d != "" || err != nil {
			t.Fatalf("%v (-library +got):\n%s", err, d)
		}
	})
}

// nest puts n behind a key at column 2*depth, or behind a dash there, with something after it.
func nest(n *yaml.Node, depth int, inList bool) *yaml.Node {
	if inList {
		n = &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{n, StringNode("next")}}
	}
	m := MapNode(StringNode("v"), n, StringNode("w"), StringNode("x"))
	for range depth {
		m = MapNode(StringNode("k"), &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{m}})
	}
	return &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{m}}
}
