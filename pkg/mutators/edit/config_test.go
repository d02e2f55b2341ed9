package edit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestDecode(t *testing.T) {
	type options struct {
		Name  string            `json:"name"`
		Texts map[string]string `json:"texts"`
	}
	cases := map[string]struct {
		reason, config string
		want           options
		err            string
	}{
		"ConfigMap": {"data in its order; what is no text in YAML is text here", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nimmutable: true\ndata: {b: 5, a: x}\n", options{Name: "b=5 a=x"}, ""},
		"no data":   {"an empty ConfigMap has no options", "apiVersion: v1\nkind: ConfigMap\ndata:\n", options{}, ""},
		"catalogue": {"fields stand beside metadata", "apiVersion: fn.kpt.dev/v1alpha1\nkind: SetThing\nmetadata: {name: x}\nname: n\ntexts: {a: b}\n", options{"n", map[string]string{"a": "b"}}, ""},
		"ours":      {"in our group too", "apiVersion: fn.waybill.dev/v1alpha1\nkind: SetThing\nname: n\n", options{Name: "n"}, ""},
		"nothing":   {"an object without options", "apiVersion: fn.kpt.dev/v1alpha1\nkind: SetThing\n", options{}, ""},
		"none":      {"no config at all", "", options{}, "functionConfig: Required value: give a v1 ConfigMap, or an object of kind SetThing"},
		"wrong":     {"every fault, each at its path", "apiVersion: fn.kpt.dev/v1alpha1\nkind: SetThing\nspec: {name: n}\nname: [n]\ntexts: {a: 5}\n", options{}, "[spec: Forbidden: unknown field, name: Invalid value: want text, got a list, texts[a]: Invalid value: want text, got a number]"},
		"version":   {"an unknown version", "apiVersion: fn.kpt.dev/v1\nkind: SetThing\n", options{}, `functionConfig.kind: Invalid value: "fn.kpt.dev/v1 SetThing": want v1 ConfigMap, fn.kpt.dev/v1alpha1 SetThing or fn.waybill.dev/v1alpha1 SetThing`},
		"group":     {"another group's kind of that name", "apiVersion: example.com/v1alpha1\nkind: SetThing\n", options{}, `functionConfig.kind: Invalid value: "example.com/v1alpha1 SetThing": want v1 ConfigMap, fn.kpt.dev/v1alpha1 SetThing or fn.waybill.dev/v1alpha1 SetThing`},
		"data":      {"data that is none, and what stands beside it", "apiVersion: v1\nkind: ConfigMap\nname: n\ndata: [a]\n", options{}, "[name: Forbidden: unknown field; options belong under data, data: Invalid value: want a map of text to text]"},
		"values":    {"values that are none", "apiVersion: v1\nkind: ConfigMap\ndata: {a: {}, b: null}\n", options{}, "[data[a]: Invalid value: want text, data[b]: Invalid value: want text]"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var config *krm.Object
			if c.config != "" {
				config = read(t, c.config)[0]
			}
			var got options
			err := Decode(config, "SetThing", &got, func(entries []Entry) field.ErrorList {
				var texts []string
				for _, e := range entries {
					texts = append(texts, e.Key+"="+e.Value)
				}
				got.Name = strings.Join(texts, " ")
				return nil
			})
			text := ""
			if err != nil {
				text = err.Error()
			}
			if d := cmp.Diff(c.err, text); d != "" {
				t.Errorf("%s: error (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(c.want, got); err == nil && d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if c.config != "" {
				if d := cmp.Diff(c.config, write(t, []*krm.Object{config})); d != "" {
					t.Errorf("%s: the config changed:\n%s", c.reason, d)
				}
			}
		})
	}
}

func TestFieldSpecValidate(t *testing.T) {
	cases := map[string]struct {
		reason, path, want string
	}{
		"field":   {"steps", "spec/template/metadata", ""},
		"list":    {"a list may be named as one", "spec/containers[]/image", ""},
		"escaped": {"a slash inside a step", `metadata/annotations/example.com\/a`, ""},
		"rooted":  {"a slash in front says nothing", "/spec/a", ""},
		"empty":   {"a path names a field", "", "f.path: Required value: name a field, such as spec/template/metadata"},
		"hole":    {"so does every step", "a//b", `f.path: Invalid value: "a//b": has a step without a name`},
		"bare":    {"brackets are no name", "a/[]", `f.path: Invalid value: "a/[]": has a step without a name`},
		"end":     {"nor is nothing at the end", "a/", `f.path: Invalid value: "a/": has a step without a name`},
		"deep":    {"what would be made must be readable again", strings.Repeat("a/", 50) + "a", "f.path: Invalid value: has 51 steps, more than the 50 allowed"},
		"as deep": {"one step less is fine", strings.Repeat("a/", 49) + "a", ""},
	}
	for name, c := range cases {
		got := ""
		if err := (FieldSpec{Path: c.path}).Validate(field.NewPath("f")).ToAggregate(); err != nil {
			got = err.Error()
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, c.reason, d)
		}
	}
}
