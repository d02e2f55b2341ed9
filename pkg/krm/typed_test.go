package krm

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

type common struct {
	Kind string `json:"kind"`
}

type part struct {
	Image string `json:"image"`
	Port  int32  `json:"port,omitempty"`
}

type widget struct {
	common   `json:",inline"`
	Replicas *int              `json:"replicas,omitempty"`
	On       bool              `json:"on,omitempty"`
	Ratio    float64           `json:"ratio,omitempty"`
	Size     uint8             `json:"size,omitempty"`
	Parts    []part            `json:"parts,omitempty"`
	ByName   map[string]*part  `json:"byName,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	Since    metav1.Time       `json:"since,omitzero"`
	Wait     *metav1.Duration  `json:"wait,omitempty"`
	Any      any               `json:"any,omitempty"`
	Raw      []byte            `json:"raw,omitempty"`
	hidden   string
	Ignored  string `json:"-"`
}

func TestDecode(t *testing.T) {
	three := 3
	cases := map[string]struct {
		reason, in string
		want       widget
	}{
		"everything": {"each type has its form", "kind: W\nreplicas: 3\non: true\nratio: 1\nsize: 255\nparts: [{image: a, port: 1}]\nbyName: {x: {image: b}}\nlabels: {k: v}\nany: {free: [1]}\nraw: aGk=\nwait: 5m\n",
			widget{common: common{"W"}, Replicas: &three, On: true, Ratio: 1, Size: 255, Parts: []part{{"a", 1}}, ByName: map[string]*part{"x": {Image: "b"}},
				Labels: map[string]string{"k": "v"}, Any: map[string]any{"free": []any{1.0}}, Raw: []byte("hi"), Wait: &metav1.Duration{Duration: 5 * 60e9}}},
		"nulls":     {"null leaves what is there", "kind: null\nreplicas: ~\nparts:\nsince: null\nbyName: {x: null}\n", widget{ByName: map[string]*part{"x": nil}}},
		"aliases":   {"followed", "parts:\n- &p {image: a}\n- *p\n", widget{Parts: []part{{Image: "a"}, {Image: "a"}}}},
		"round":     {"1.0 is whole", "replicas: 3.0\n", widget{Replicas: &three}},
		"text date": {"a timestamp is text to JSON", "labels: {d: 2001-01-01}\n", widget{Labels: map[string]string{"d": "2001-01-01"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			strict, loose := widget{hidden: "kept"}, widget{hidden: "kept"}
			c.want.hidden = "kept"
			o := one(t, c.in)
			if err := o.Decode(&strict); err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if err := DecodeLoose(o.Node(), nil, &loose); err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			for which, got := range map[string]widget{"strict": strict, "loose": loose} {
				if d := cmp.Diff(c.want, got, cmp.AllowUnexported(widget{})); d != "" {
					t.Errorf("%s, %s (-want +got):\n%s", c.reason, which, d)
				}
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	cases := map[string]struct {
		reason, in string
		at         *field.Path
		strict     string
		loose      string
	}{
		"unknown": {"all of them, in document order, each at its path", "zed: 1\nkind: W\nparts:\n- {image: a}\n- {imagee: a, portt: 1}\nbyName:\n  x/y: {img: b}\nKind: W\n", field.NewPath("spec"),
			"[spec.zed: Forbidden: unknown field, spec.parts[1].imagee: Forbidden: unknown field, spec.parts[1].portt: Forbidden: unknown field, spec.byName[x/y].img: Forbidden: unknown field, spec.Kind: Forbidden: unknown field]", ""},
		"not for YAML": {"fields that JSON does not know are unknown", "hidden: a\nIgnored: b\n", nil, "[hidden: Forbidden: unknown field, Ignored: Forbidden: unknown field]", ""},
		"wrong types": {"all of them too, values left out", "kind: [hunter2]\nreplicas: hunter2\non: \"true\"\nratio: x\nsize: -1\nparts: [{image: 1, port: 1.5}, text]\nlabels: {a: true}\nbyName: []\n", field.NewPath("spec"),
			"[spec.kind: Invalid value: want text, got a list, spec.replicas: Invalid value: want a whole number, got text, spec.on: Invalid value: want true or false, got text, spec.ratio: Invalid value: want a number, got text, spec.size: Invalid value: want a whole number from 0, got a number, spec.parts[0].image: Invalid value: want text, got a number, spec.parts[0].port: Invalid value: want a whole number, got a number, spec.parts[1]: Invalid value: want a map, got text, spec.labels[a]: Invalid value: want text, got true or false, spec.byName: Invalid value: want a map, got a list]", "same"},
		"both kinds":   {"unknown fields do not hide wrong types", "zed: 1\nsize: 256\n", nil, "[zed: Forbidden: unknown field, size: Invalid value: want a whole number from 0, got a number]", "size: Invalid value: want a whole number from 0, got a number"},
		"own decoding": {"types that decode themselves say what is wrong", "wait: soon\n", nil, `wait: Invalid value: time: invalid duration "soon"`, "same"},
		"no number":    {"what JSON cannot hold", "ratio: .nan\n", nil, "ratio: Invalid value: .nan is not a number that JSON can hold", "same"},
		"lying tag":    {"also inside what is untyped", "any: {x: !!int y}\n", nil, "any: Invalid value: x: tagged !!int but is no whole number", "same"},
		"beyond range": {"a number that the type cannot hold", "parts: [{image: a, port: 3000000000}]\n", nil, "parts[0].port: Invalid value: want a whole number, got a number", "same"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			n := one(t, c.in).Node()
			if c.loose == "same" {
				c.loose = c.strict
			}
			var w widget
			strict, loose := DecodeNode(n, c.at, &w), DecodeLoose(n, c.at, &w)
			got := []string{text(strict), text(loose)}
			if d := cmp.Diff([]string{c.strict, c.loose}, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
	var list []string
	if d := cmp.Diff("object: Invalid value: want a list, got a map", text(one(t, "a: 1\n").Decode(&list))); d != "" {
		t.Errorf("the root has a name too (-want +got):\n%s", d)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestUnknownFieldsLeavesValuesAlone(t *testing.T) {
	errs := UnknownFields(one(t, "size: lots\nzed: 1\n").Node(), nil, &widget{})
	if d := cmp.Diff("zed: Forbidden: unknown field", text(errs.ToAggregate())); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestFromTyped(t *testing.T) {
	three := 3
	o, err := FromTyped(&widget{common: common{"on"}, Replicas: &three, Ratio: 1e21, Parts: []part{{Image: "a<b>&c"}}, Labels: map[string]string{"y": "no", "b": "1", "a": "x\ny\n"},
		Any: map[string]any{"max": uint64(math.MaxUint64), "empty": []any{}, "none": map[string]any{}, "nil": nil, "half": 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	want := `kind: "on"
replicas: 3
ratio: 1e+21
parts:
- image: a<b>&c
labels:
  a: |
    x
    y
  b: "1"
  "y": "no"
any:
  empty: []
  half: 0.5
  max: 18446744073709551615
  nil: null
  none: {}
`
	got := write(t, o)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("fields in the type's order, maps sorted, texts that YAML would misread quoted (-want +got):\n%s", d)
	}
	if again := one(t, got); !Equivalent(o.Node(), again.Node()) {
		t.Errorf("what was written reads otherwise:\n%s", got)
	}
	for name, v := range map[string]any{"a list": []int{1}, "a function": func() {}, "NaN": math.NaN()} {
		if _, err := FromTyped(v); err == nil {
			t.Errorf("%s is no object", name)
		}
	}
}

// FuzzStringNode holds that a text stays that text for readers of YAML 1.2 and of YAML 1.1.
func FuzzStringNode(f *testing.F) {
	for _, s := range []string{"", "yes", "No", "1", "012", "0o7", "1_0", "1:30", "~", "null", "=", "<<", "- a", "# c", "a: b", "x\ny", " x ", "2001-01-01", ".inf", "+.5", "\u0085", "\ufeff", "y", "\t", "a\n", "\n", "%", "@", "\t\n", "testing:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, reason := badText([]byte(s)); reason != "" {
			return // no YAML file may hold it as it is
		}
		data, err := Write([]*Object{FromNode(MapNode(StringNode("key"), StringNode(s)))})
		if err != nil {
			t.Fatal(err)
		}
		if got := one(t, string(data)).String("key"); got != s {
			t.Errorf("%q came back as %q from:\n%s", s, got, data)
		}
		checkYAML11(t, s, data)
	})
}

func checkYAML11(t *testing.T, s string, data []byte) {
	t.Helper()
	n, err := yaml.Parse(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if v := n.Field("key").Value.YNode(); v.Style == 0 && !strings.ContainsAny(s, " \t") && yaml.IsValueNonString(s) {
		t.Errorf("a reader of YAML 1.1 would not read %q as text:\n%s", s, data)
	}
}
