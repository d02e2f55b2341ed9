package manifest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestNormalForm(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"Comments":   {"comments are the package's, not the cluster's", "# a\na: 1 # b\n# c\n", "a: 1\n"},
		"Flow":       {"one style, whatever the author's", "a: {b: [1, 2], c: {}}\n", "a:\n  b:\n  - 1\n  - 2\n  c: {}\n"},
		"Order":      {"keys stay as the author has them", "b: 1\na: 2\n", "b: 1\na: 2\n"},
		"Aliases":    {"a manifest stands alone", "a: &x\n  k: v\nb: *x\n", "a:\n  k: v\nb:\n  k: v\n"},
		"Quotes":     {"quotes only where a reader needs them", "a: \"x\"\nb: 'yes'\nc: '1'\nd: ''\n", "a: x\nb: \"yes\"\nc: \"1\"\nd: \"\"\n"},
		"BareYes":    {"a bare word that readers disagree about stays bare", "a: yes\n", "a: yes\n"},
		"Keys":       {"a key is text to everybody", "on: 1\n80: 2\n", "\"on\": 1\n\"80\": 2\n"},
		"Lines":      {"lines become a block", "a: \"x\\ny\\n\"\n", "a: |\n  x\n  y\n"},
		"OddLines":   {"a block that would lose blanks stays quoted", "a: \"x \\ny\"\n", "a: \"x \\ny\"\n"},
		"Timestamps": {"text to JSON, so text to every reader", "a: 2026-01-02\n", "a: \"2026-01-02\"\n"},
		"Null":       {"one spelling of nothing", "a: ~\nb:\n", "a: null\nb: null\n"},
		"Numbers":    {"numbers are kept as written", "a: 0x1F\nb: 1.50\n", "a: 0x1F\nb: 1.50\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, written(t, Normalize(parseNode(t, tc.in)))); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

// TestNormalFormIsReadAlike compares the normal form with its source, by our reader and by the
// YAML 1.1 reader that Kubernetes tools use.
func TestNormalFormIsReadAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := krm.MapNode(krm.StringNode("v"), anyValue(3).Draw(t, "value"))
		checkNormal(t, n)
	})
}

func FuzzNormalText(f *testing.F) {
	for _, s := range []string{"", " a", "a\n b", "\n a", "yes", "1e3", "{{.x}}", "a: b", "# c", "|", "- x", "a\n\n", "\u2028\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ToValidUTF8(s, "") != s {
			s = strings.ToValidUTF8(s, "?")
		}
		checkNormal(t, krm.MapNode(String("v"), String(s)))
	})
}

func checkNormal(t rapid.TB, n *yaml.Node) {
	form := Normalize(n)
	if !krm.Equivalent(n, form) {
		t.Fatal("the normal form holds other data")
	}
	text := written(t, form)
	back := parseNode(t, text)
	if again := written(t, Normalize(back)); again != text {
		t.Fatalf("a normal form that is read and written is another:\n%s\n%s", text, again)
	}
	want, err := krm.CanonicalJSON(n)
	if err != nil {
		t.Fatal(err)
	}
	var meant, read any
	if err := json.Unmarshal(want, &meant); err != nil {
		t.Fatal(err)
	}
	if err := sigsyaml.UnmarshalStrict([]byte(text), &read); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if d := cmp.Diff(meant, read); d != "" {
		t.Fatalf("another reader (-want +got):\n%s\nfrom\n%s", d, text)
	}
}

func parseNode(t rapid.TB, text string) *yaml.Node {
	objs, err := krm.Read("test.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return objs[0].Node()
}

func written(t rapid.TB, n *yaml.Node) string {
	data, err := krm.WriteRaw(krm.FromNode(n))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// anyValue draws nodes in any style: what a parser might hand over, without bare ambiguous words.
func anyValue(depth int) *rapid.Generator[*yaml.Node] {
	return rapid.Custom(func(t *rapid.T) *yaml.Node {
		switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
		case kind == 0 && depth > 0:
			n := List()
			n.Style = rapid.SampledFrom([]yaml.Style{0, yaml.FlowStyle}).Draw(t, "style")
			n.Content = rapid.SliceOfN(anyValue(depth-1), 0, 4).Draw(t, "list")
			return n
		case kind <= 2 && depth > 0:
			n := krm.MapNode()
			for _, k := range rapid.SliceOfNDistinct(anyText(), 0, 4, rapid.ID[string]).Draw(t, "keys") {
				n.Content = append(n.Content, String(k), anyValue(depth-1).Draw(t, "value"))
			}
			return n
		case kind == 3:
			return parseNode(t, "v: "+rapid.SampledFrom([]string{"1", "-7", "0.5", "true", "null", "0x10", "1e2"}).Draw(t, "scalar")).Content[1]
		}
		n := String(anyText().Draw(t, "text"))
		n.Style = rapid.SampledFrom([]yaml.Style{yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, n.Style}).Draw(t, "quotes")
		return n
	})
}

func anyText() *rapid.Generator[string] {
	odd := []string{"", "yes", "on", "~", "1", "1:30", "0x1", ".5", "+1", "a: b", "# a", "a #b", "<a>&b", "{{.x}}", "- a", "a\nb", "a\nb\n",
		" a", "a ", "a \nb", "\na", "\n", "a\tb\n", "2026-01-02", "=", "<<", "!x", "*x", "&x", "?", ":", "\u2028", "é", "null", "N", "%a", "@a", "`a", "a\n\n\nb\n\n"}
	return rapid.OneOf(rapid.SampledFrom(odd), rapid.StringMatching(`[a-z<>&"\\ \n:#-]{0,12}`))
}
