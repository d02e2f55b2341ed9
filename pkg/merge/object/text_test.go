package object

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestShortText(t *testing.T) {
	for name, c := range map[string]struct{ reason, in, want string }{
		"number":        {"numbers stay bare", "5", "5"},
		"text number":   {"text that looks like a number is quoted", `"5"`, `"5"`},
		"text yes":      {"so is text that is a boolean to others", `"yes"`, `"yes"`},
		"empty":         {"and empty text", `""`, `""`},
		"null":          {"all nulls are null", "~", "null"},
		"lines":         {"it is one line", "|\n    a\n    b", `"a\nb\n"`},
		"odd":           {"odd characters are quoted", `"a: [b]"`, `"a: [b]"`},
		"map":           {"maps have braces", "\n    a: 1\n    b: {c: x}", "{a: 1, b: {c: x}}"},
		"list":          {"lists have brackets", "\n  - 1\n  - a", "[1, a]"},
		"long text":     {"what is long is cut", strings.Repeat("x", 300), strings.Repeat("x", 200) + "…"},
		"long list":     {"so are long lists", "[" + strings.Repeat("abcdefgh, ", 40) + "]", "[" + strings.Repeat("abcdefgh, ", 20) + "…]"},
		"plain service": {"plain text stays bare", "reg.example/web:v1", "reg.example/web:v1"},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := krm.Read("a.yaml", []byte("v: "+c.in+"\n"), krm.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := *shortText(o[0].Lookup("v")); got != c.want {
				t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
			}
		})
	}
	if shortText(nil) != nil {
		t.Error("nothing has no text")
	}
}

func TestPlace(t *testing.T) {
	for want, p := range map[string]Path{
		"spec.replicas":                         {"spec", "replicas"},
		"spec.ports[port=80,protocol=TCP].name": {"spec", "ports", Item([]string{"port", "protocol"}, []string{"80", "TCP"}), "name"},
		"metadata.finalizers[a]":                {"metadata", "finalizers", Item(nil, []string{"a"})},
		"metadata.annotations[x.dev/y]":         {"metadata", "annotations", "x.dev/y"},
		"":                                      nil,
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
