package setters

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestDeriveIsARegularExpression holds the hand-made matcher to what the catalogue says it does: a
// setter is (.*), found anywhere in the field.
func TestDeriveIsARegularExpression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pattern{
			texts: rapid.SliceOfN(rapid.StringMatching(`[ab.]{0,2}`), 2, 4).Draw(t, "texts"),
			names: []string{"x", "y", "z"},
		}
		p.names = p.names[:len(p.texts)-1]
		text := rapid.StringMatching(`[abc.\n]{0,12}`).Draw(t, "text")
		if d := cmp.Diff(byRegexp(p, text), p.derive(text)); d != "" {
			t.Fatalf("%q in %q (-regexp +derive):\n%s", p.texts, text, d)
		}
	})
}

func byRegexp(p pattern, text string) map[string]string {
	quoted := make([]string, len(p.texts))
	for i, s := range p.texts {
		quoted[i] = regexp.QuoteMeta(s)
	}
	found := regexp.MustCompile(strings.Join(quoted, "(.*)")).FindStringSubmatch(text)
	out := map[string]string{}
	for i, name := range p.names {
		if found == nil || found[i+1] == "" {
			return map[string]string{}
		}
		out[name] = found[i+1]
	}
	return out
}

func TestParsePattern(t *testing.T) {
	cases := map[string]struct {
		reason, comment string
		want            pattern
		ok              bool
	}{
		"one":        {"a setter alone has nothing around it", "# kpt-set: ${a}", pattern{[]string{"", ""}, []string{"a"}}, true},
		"several":    {"texts stand between setters", "# kpt-set: p/${a}:${b}s", pattern{[]string{"p/", ":", "s"}, []string{"a", "b"}}, true},
		"open":       {"what is not closed is text", "# kpt-set: ${a}${b", pattern{[]string{"", "${b"}, []string{"a"}}, true},
		"no setter":  {"a text alone is a pattern of no setter", "# kpt-set: a", pattern{texts: []string{"a"}}, true},
		"nothing":    {"a mark alone says nothing", "# kpt-set: ", pattern{}, false},
		"no mark":    {"any other comment", "# set: ${a}", pattern{}, false},
		"other mark": {"the mark is spelled exactly", "#kpt-set: ${a}", pattern{}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := parsePattern(c.comment)
			if d := cmp.Diff(c.want, got, cmp.AllowUnexported(pattern{})); d != "" || ok != c.ok {
				t.Errorf("%s: ok is %t (-want +got):\n%s", c.reason, ok, d)
			}
		})
	}
}

// TestBounds sets the same long text in many fields.
func TestBounds(t *testing.T) {
	const long, fields = 1 << 20, 100
	text := "kind: A\nspec:\n" + strings.Repeat("- a # kpt-set: ${x}\n", fields)
	objects, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	config := krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode("v1"), krm.StringNode("kind"), krm.StringNode("ConfigMap"),
		krm.StringNode("data"), krm.MapNode(krm.StringNode("x"), krm.StringNode(strings.Repeat("y", long)))))
	out := Function.Apply(t.Context(), &fn.Input{Items: objects, Config: config})
	const want = "[error] A  spec[31]: all values that are put into objects are together larger than a file may be"
	if len(out.Results) != 1 {
		t.Fatalf("want one result, got %d", len(out.Results))
	}
	if d := cmp.Diff(want, fn.FormatResult(out.Results[0])); d != "" {
		t.Errorf("a hundred megabytes are too many (-want +got):\n%s", d)
	}
}
