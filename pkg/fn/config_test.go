package fn

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

type mode string

type options struct {
	Allow   bool           `json:"allow"`
	Max     *int           `json:"max"`
	Count   int32          `json:"count"`
	Name    string         `json:"name"`
	Mode    mode           `json:"mode"`
	Lists   []string       `json:"lists"`
	Modes   []mode         `json:"modes"`
	Numbers []int          `json:"numbers"`
	Nested  map[string]int `json:"nested"`
	Skipped string         `json:"-"`
	Bare    string
	private string
}

func object(t testing.TB, text string) *krm.Object {
	t.Helper()
	objs, err := krm.Read("config", []byte(text), krm.Limits{})
	if err != nil || len(objs) != 1 {
		t.Fatalf("%d objects, %v", len(objs), err)
	}
	return objs[0]
}

const (
	configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
	typed     = "apiVersion: fn.waybill.dev/v1alpha1\nkind: SetThing\nmetadata: {name: c}\n"
)

func TestDecodeConfig(t *testing.T) {
	seven := 7
	defaults := func() options { return options{Name: "default", Lists: []string{"default"}, private: "kept"} }
	cases := map[string]struct {
		reason, config string
		want           func(*options)
		err            string
	}{
		"none":      {reason: "no config, defaults"},
		"empty map": {reason: "nor is anything said here", config: configMap + "data: {}\n"},
		"no data":   {reason: "nor here", config: configMap},
		"null data": {reason: "nor here", config: configMap + "data:\n"},
		"no spec":   {reason: "nor here", config: typed},
		"null spec": {reason: "nor here", config: typed + "spec: null\n"},
		"all text": {reason: "every option as text, with blanks around what is no text", config: configMap + "data:\n  allow: ' true\n\n    '\n  max: ' 7 '\n  count: \"-3\"\n  name: ' x '\n  mode: fast\n  lists: |\n    a; b\n\n    ; c\n  modes: x;y\n", want: func(o *options) {
			*o = options{private: "kept", Allow: true, Max: &seven, Count: -3, Name: " x ", Mode: "fast", Lists: []string{"a", "b", "c"}, Modes: []mode{"x", "y"}}
		}},
		"unquoted":   {reason: "kpt quotes them, people do not always", config: configMap + "data: {allow: true, max: 7}\n", want: func(o *options) { o.Allow, o.Max = true, &seven }},
		"immutable":  {reason: "a ConfigMap may say so", config: configMap + "data: {allow: 'false'}\nimmutable: true\n"},
		"empty list": {reason: "an empty text is an empty list, not the default", config: configMap + "data: {lists: ''}\n", want: func(o *options) { o.Lists = nil }},
		"typed": {reason: "the same options, typed", config: typed + "spec:\n  allow: true\n  max: 7\n  count: -3\n  name: x\n  mode: fast\n  lists: [a]\n  modes: [x]\n  numbers: [1]\n  nested: {a: 1}\n", want: func(o *options) {
			*o = options{private: "kept", Allow: true, Max: &seven, Count: -3, Name: "x", Mode: "fast", Lists: []string{"a"}, Modes: []mode{"x"}, Numbers: []int{1}, Nested: map[string]int{"a": 1}}
		}},
		"wrong text":        {reason: "all at once, each at its path", config: configMap + "data:\n  allow: 'yes'\n  max: many\n  count: \"3000000000\"\n  zed: x\n  name: [x]\n  mode:\n  numbers: '1'\n  nested: a\n", err: `[data.allow: Invalid value: "yes": want true or false, data.max: Invalid value: "many": want a whole number, data.count: Invalid value: "3000000000": want a whole number, data.zed: Forbidden: unknown option; known are allow, max, count, name, mode, lists, modes, numbers, nested, data.name: Invalid value: want text, data.mode: Invalid value: want text, data.numbers: Invalid value: "1": cannot be given in a ConfigMap; use the function's own kind, data.nested: Invalid value: "a": cannot be given in a ConfigMap; use the function's own kind]`},
		"no options":        {reason: "fields that are no options are unknown", config: configMap + "data: {Skipped: a, '-': b, Bare: c, private: d, '': e}\n", err: "[data.Skipped: Forbidden: unknown option; known are allow, max, count, name, mode, lists, modes, numbers, nested, data.-: Forbidden: unknown option; known are allow, max, count, name, mode, lists, modes, numbers, nested, data.Bare: Forbidden: unknown option; known are allow, max, count, name, mode, lists, modes, numbers, nested, data.private: Forbidden: unknown option; known are allow, max, count, name, mode, lists, modes, numbers, nested, data[]: Forbidden: unknown option; known are allow, max, count, name, mode, lists, modes, numbers, nested]"},
		"wrong types":       {reason: "all at once, unknown ones too", config: typed + "spec:\n  allow: 'true'\n  max: many\n  zed: x\n  lists: a;b\n  numbers: [1, x]\n", err: "[spec.allow: Invalid value: want true or false, got text, spec.max: Invalid value: want a whole number, got text, spec.zed: Forbidden: unknown field, spec.lists: Invalid value: want a list, got text, spec.numbers[1]: Invalid value: want a whole number, got text]"},
		"one fault":         {reason: "a single fault has no brackets", config: typed + "spec: {zed: 1}\n", err: "spec.zed: Forbidden: unknown field"},
		"data no map":       {reason: "a list of options", config: configMap + "data: [allow]\n", err: "data: Invalid value: want a map of text to text"},
		"spec no map":       {reason: "a list of options", config: typed + "spec: [allow]\n", err: "spec: Invalid value: want a map, got a list"},
		"beside spec":       {reason: "options one level too high, or a misspelt spec, are not passed over", config: typed + "allow: true\nspecs: {}\n", err: "[allow: Forbidden: unknown field; options belong under spec, specs: Forbidden: unknown field; options belong under spec]"},
		"beside data":       {reason: "the same in a ConfigMap, with what is wrong inside", config: configMap + "spec: {allow: true}\nbinaryData: {}\ndata: {zed: ''}\n", err: "[spec: Forbidden: unknown field; options belong under data, binaryData: Forbidden: unknown field; options belong under data, data.zed: Forbidden: unknown option; known are allow, max, count, name, mode, lists, modes, numbers, nested]"},
		"other kind":        {reason: "another function's config", config: "apiVersion: fn.waybill.dev/v1alpha1\nkind: Other\n", err: `functionConfig.kind: Invalid value: "fn.waybill.dev/v1alpha1 Other": want v1 ConfigMap or fn.waybill.dev/v1alpha1 SetThing`},
		"other version":     {reason: "a version that is not known", config: "apiVersion: fn.waybill.dev/v1\nkind: SetThing\n", err: `functionConfig.kind: Invalid value: "fn.waybill.dev/v1 SetThing": want v1 ConfigMap or fn.waybill.dev/v1alpha1 SetThing`},
		"ConfigMap, not v1": {reason: "a ConfigMap of another group", config: "apiVersion: example.com/v1\nkind: ConfigMap\n", err: `functionConfig.kind: Invalid value: "example.com/v1 ConfigMap": want v1 ConfigMap or fn.waybill.dev/v1alpha1 SetThing`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var config *krm.Object
			if c.config != "" {
				config = object(t, c.config)
			}
			got, want := defaults(), defaults()
			err := DecodeConfig(config, "SetThing", &got)
			if err != nil || c.err != "" {
				if d := cmp.Diff(c.err, errText(err)); d != "" {
					t.Errorf("%s (-want +got):\n%s", c.reason, d)
				}
				return
			}
			if c.want != nil {
				c.want(&want)
			}
			if d := cmp.Diff(want, got, cmp.AllowUnexported(options{})); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
