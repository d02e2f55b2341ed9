package mutation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
)

const (
	head  = `{"apiVersion": "shop.example.org/v1", "kind": "Order", "metadata": {"name": "orders", "annotations": {"example.org/internal": "x", "a": "b"}}, `
	other = `{"apiVersion": "apps.provider.example/v2", "kind": "ShopOrder", "metadata": {"name": "copy"}, "spec": {"zone": "a", "n": 9007199254740993}}`
)

func rules(t testing.TB, text string) []waybill.MutationRule {
	t.Helper()
	var all []waybill.MutationRule
	if err := yaml.UnmarshalStrict([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func compile(t testing.TB, spec, status string) *mutation.Mutation {
	t.Helper()
	m, err := mutation.New(&waybill.PublishedMutation{Spec: rules(t, spec), Status: rules(t, status)}, field.NewPath("spec", "mutation"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSpec(t *testing.T) {
	cases := map[string]struct{ reason, rules, in, want string }{
		"Worked": {
			"the example of the contract",
			`[{delete: {path: 'metadata.annotations.example\.org/internal'}}, {regex: {path: spec.host, pattern: '^(.+)\.public\.example$', replacement: '$1.internal.example'}},
			{cel: {path: spec.replicas, expression: 'self.spec.tier == "gold" ? 3 : 1'}}]`,
			head + `"spec": {"host": "shop.public.example", "tier": "gold"}}`,
			strings.Replace(head, `{"example.org/internal": "x", "a": "b"}`, `{"a":"b"}`, 1) + `"spec": {"host": "shop.internal.example", "tier": "gold","replicas":3}}`,
		},
		"Untouched": {
			"numbers stay as they are written",
			`[{cel: {path: spec.a, expression: '1'}}]`,
			head + `"spec": {"n": 9007199254740993, "m": 123456789012345678901234567890, "f": 1e400, "g": 1.50, "h": -0, "s": "\u003c\/"}}`,
			head + `"spec": {"n": 9007199254740993, "m": 123456789012345678901234567890, "f": 1e400, "g": 1.50, "h": -0, "s": "\u003c\/","a":1}}`,
		},
		"Order": {"each rule sees the result of the one before", `[{template: {path: spec.a, template: 'x'}}, {regex: {path: spec.a, pattern: 'x', replacement: 'y$0'}}, {cel: {path: spec.b, expression: 'self.spec.a + value'}}]`,
			head + `"spec":{"b":"c"}}`, head + `"spec":{"b":"yxc","a":"yx"}}`},

		"DeleteMissing": {"a missing field may be deleted", `[{delete: {path: spec.a.b.c}}, {delete: {path: spec.list.7}}, {delete: {path: spec.n.x}}]`, head + `"spec":{"list":[1],"n":5}}`, head + `"spec":{"list":[1],"n":5}}`},
		"DeleteItem":    {"by its place", `[{delete: {path: spec.list.0}}, {delete: {path: spec.list.-1}}]`, head + `"spec":{"list":[1,2,3]}}`, head + `"spec":{"list":[2]}}`},
		"DeleteFound":   {"by a query", `[{delete: {path: 'spec.list.#(name=="b")'}}, {delete: {path: 'spec.list.#(name=="c").x'}}]`, head + `"spec":{"list":[{"name":"a"},{"name":"b"}]}}`, head + `"spec":{"list":[{"name":"a"}]}}`},
		"DeleteInText":  {"a text that looks like JSON is a text", `[{delete: {path: spec.a.0}}, {delete: {path: spec.b.c}}]`, head + `"spec":{"a":"[1,2]","b":"{\"c\":1}"}}`, head + `"spec":{"a":"[1,2]","b":"{\"c\":1}"}}`},
		"DeleteFar":     {"a number that is too large is no place", `[{delete: {path: spec.list.18446744073709551616}}]`, head + `"spec":{"list":[1]}}`, head + `"spec":{"list":[1]}}`},

		"DeleteWild":      {"every key that a wildcard matches", `[{delete: {path: 'spec.a*'}}, {delete: {path: 'spec.b?'}}, {cel: {path: spec.n, expression: 'size(self.spec)'}}]`, head + `"spec":{"a":1, "ab":2, "b":3, "b1":4, "c":5}}`, head + `"spec":{"b":3,"c":5,"n":2}}`},
		"DeleteWildBelow": {"fields below each of them", `[{delete: {path: 'spec.*.hosts.*.x'}}]`, head + `"spec":{"p":{"hosts":{"a":{"x":1},"b":{"y":2}}},"q":{"hosts":[{"x":1}]},"r":{"hosts":{"c":{"x":3,"y":[1.50]}}},"s":"{}","t":null}}`, head + `"spec":{"p":{"hosts":{"a":{},"b":{"y":2}}},"q":{"hosts":[{"x":1}]},"r":{"hosts":{"c":{"y":[1.50]}}},"s":"{}","t":null}}`},
		"DeleteWildItem":  {"below the items that a query and a place name", `[{delete: {path: 'spec.list.#(name=="b").*s.0'}}]`, head + `"spec":{"list":[{"name":"a","xs":[1,2]},{"name":"b","xs":[1,2],"ys":[3]}]}}`, head + `"spec":{"list":[{"name":"a","xs":[1,2]},{"name":"b","xs":[2],"ys":[]}]}}`},
		"DeleteWildNone":  {"without a match, all stays as it is written", `[{delete: {path: 'spec.x*'}}, {delete: {path: 'spec.a.*'}}, {delete: {path: 'none.*'}}, {delete: {path: 'spec.*.x'}}]`, head + `"spec": { "a" : 1.50, "b": {} } }`, head + `"spec": { "a" : 1.50, "b": {} } }`},
		"DeleteWildKeys":  {"keys with quotes, dots, and none", `[{delete: {path: 'metadata.annotations.example\.org/*'}}, {delete: {path: 'spec.*'}}]`, head + `"spec":{"":1,"a\"b":2,"c.d":3,"é*":4}}`, strings.Replace(head, `{"example.org/internal": "x", "a": "b"}`, `{"a":"b"}`, 1) + `"spec":{}}`},
		"DeleteWildAll":   {"the type is restored, and the object must keep its name", `[{delete: {path: '*i*d'}}, {delete: {path: 'metadata.a*'}}]`, head + `"spec":{}}`, `{"apiVersion":"shop.example.org/v1","metadata":{"name":"orders"},"spec":{},"kind":"Order"}`},

		"RegexAll":      {"all matches", `[{regex: {path: spec.a, pattern: 'a', replacement: 'b'}}]`, head + `"spec":{"a":"aXa"}}`, head + `"spec":{"a":"bXb"}}`},
		"RegexNone":     {"no match, and the string stays as it is written", `[{regex: {path: spec.a, pattern: 'b', replacement: 'c'}}]`, head + `"spec":{"a":"\u0061"}}`, head + `"spec":{"a":"\u0061"}}`},
		"RegexMissing":  {"a missing field stays missing", `[{regex: {path: spec.a.b, pattern: 'b', replacement: 'c'}}]`, head + `"spec":{}}`, head + `"spec":{}}`},
		"RegexEmpty":    {"unless the pattern matches the empty text", `[{regex: {path: spec.a.b, pattern: '^$', replacement: 'c'}}]`, head + `"spec":{}}`, head + `"spec":{"a":{"b":"c"}}}`},
		"RegexNumber":   {"a number becomes a text", `[{regex: {path: spec.a, pattern: 'x'}}, {regex: {path: spec.b, pattern: '3$', replacement: '4'}}]`, head + `"spec":{"a":5,"b":9007199254740993}}`, head + `"spec":{"a":"5","b":"9007199254740994"}}`},
		"RegexObject":   {"an object is JSON", `[{regex: {path: spec.a, pattern: '1', replacement: '2'}}]`, head + `"spec":{"a":{"b":1}}}`, head + `"spec":{"a":"{\"b\":2}"}}`},
		"RegexSet":      {"without a pattern any value is replaced; a $ is a $", `[{regex: {path: spec.a.b, replacement: 'c$1'}}]`, head + `"spec":{}}`, head + `"spec":{"a":{"b":"c$1"}}}`},
		"RegexGroup":    {"${1}x is the first group and an x", `[{regex: {path: spec.a, pattern: '(.)b', replacement: '${1}x'}}]`, head + `"spec":{"a":"ab"}}`, head + `"spec":{"a":"ax"}}`},
		"RegexFound":    {"a query says which part", `[{regex: {path: 'spec.list.#(name=="b").image', pattern: '^', replacement: 'r/'}}]`, head + `"spec":{"list":[{"name":"a","image":"a"},{"name":"b","image":"b"}]}}`, head + `"spec":{"list":[{"name":"a","image":"a"},{"name":"b","image":"r/b"}]}}`},
		"RegexWildcard": {"a wildcard says which key", `[{regex: {path: 'spec.*st.na?e', pattern: 'a', replacement: 'b'}}]`, head + `"spec":{"x":1,"li\"st":{"name":"a"}}}`, head + `"spec":{"x":1,"li\"st":{"name":"b"}}}`},

		"Template":        {"trimmed", `[{template: {path: spec.url, template: ' https://{{ .Value }} '}}]`, head + `"spec":{"url":"a"}}`, head + `"spec":{"url":"https://a"}}`},
		"TemplateHTML":    {"text is no HTML", `[{template: {path: spec.a, template: '{{ .Value }}<&"'}}]`, head + `"spec":{"a":"<&"}}`, head + `"spec":{"a":"<&<&\""}}`},
		"TemplateMissing": {"nothing is written for a value that is not there", `[{template: {path: spec.a.b, template: '[{{ .Value }}]{{ .Value.Exists }}{{ .Value | default "d" }}{{ if .Value }}x{{ end }}'}}]`, head + `"spec":{}}`, head + `"spec":{"a":{"b":"[]falsed"}}}`},
		"TemplateNames": {"what is which", `[{template: {path: spec.a, template: '{{ .Self.kind }} {{ .Other.kind }} {{ .Source.kind }} {{ .Destination.kind }} {{ .LocalObject.kind }} {{ .RemoteObject.kind }}'}}]`,
			head + `"spec":{}}`, head + `"spec":{"a":"Order ShopOrder Order ShopOrder Order ShopOrder"}}`},
		"TemplateValue": {"accessors", `[{template: {path: spec.a, template: '{{ .Value.String }} {{ add1 .Value.Int }} {{ .Value.Float }} {{ .Value.Bool }} {{ .Value.Exists }}'}}]`, head + `"spec":{"a":9007199254740993}}`, head + `"spec":{"a":"9007199254740993 9007199254740994 9.007199254740992e+15 true true"}}`},
		"TemplateHash":  {"the functions of names", `[{template: {path: metadata.name, template: '{{ .Value.String | sha3short }}'}}]`, head + `"spec":{}}`, strings.Replace(head, `"orders"`, `"fe3e9668e34e13e2a6cd"`, 1) + `"spec":{}}`},
		"TemplateExact": {"whole numbers are exact in data, too", `[{template: {path: spec.a, template: '{{ .Self.spec.n }} {{ .Other.spec.n }} {{ .Value }}'}}]`, head + `"spec":{"n":123456789012345678901234567890,"a":1e400}}`, head + `"spec":{"n":123456789012345678901234567890,"a":"123456789012345678901234567890 9007199254740993 1e400"}}`},
		"TemplateSet":   {"a template changes no data but what it writes", `[{template: {path: spec.a, template: '{{ $_ := set .Self.spec "b" 1 }}x'}}, {cel: {path: spec.c, expression: 'has(self.spec.b)'}}]`, head + `"spec":{}}`, head + `"spec":{"a":"x","c":false}}`},

		"CELInt":      {"a whole number is one", `[{cel: {path: spec.n, expression: 'value + 1'}}, {cel: {path: spec.m, expression: 'self.spec.n + other.spec.n'}}]`, head + `"spec":{"n":9007199254740992}}`, head + `"spec":{"n":9007199254740993,"m":18014398509481986}}`},
		"CELUint":     {"a very large one, too", `[{cel: {path: spec.n, expression: 'value'}}]`, head + `"spec":{"n":18446744073709551615}}`, head + `"spec":{"n":18446744073709551615}}`},
		"CELFloat":    {"others are not", `[{cel: {path: spec.n, expression: 'value * 1.5'}}]`, head + `"spec":{"n":1.0}}`, head + `"spec":{"n":1.5}}`},
		"CELNull":     {"nothing there is null", `[{cel: {path: spec.n, expression: 'value == null ? "none" : value'}}]`, head + `"spec":{}}`, head + `"spec":{"n":"none"}}`},
		"CELNone":     {"no value, no field", `[{cel: {path: spec.n, expression: 'optional.none()'}}, {cel: {path: spec.m, expression: 'optional.none()'}}]`, head + `"spec":{"n":1}}`, head + `"spec":{}}`},
		"CELOptional": {"a value that may be one", `[{cel: {path: spec.n, expression: 'self.?spec.?n'}}, {cel: {path: spec.m, expression: 'self.spec[?"n"]'}}]`, head + `"spec":{"n":1}}`, head + `"spec":{"n":1,"m":1}}`},
		"CELNothing":  {"null is a value", `[{cel: {path: spec.n, expression: 'null'}}]`, head + `"spec":{"n":1}}`, head + `"spec":{"n":null}}`},
		"CELParts":    {"lists and maps, all the way down", `[{cel: {path: spec.n, expression: '{"b": [1, {"c": self.spec.n}, null, 1.5, "<"], "a": true}'}}]`, head + `"spec":{"n":9007199254740993}}`, head + `"spec":{"n":{"a":true,"b":[1,{"c":9007199254740993},null,1.5,"<"]}}}`},
		"CELWhole":    {"a part of the object as it is", `[{cel: {path: spec.b, expression: 'self.spec.a'}}]`, head + `"spec":{"a":{"y":[9007199254740993],"x":{}}}}`, head + `"spec":{"a":{"y":[9007199254740993],"x":{}},"b":{"x":{},"y":[9007199254740993]}}}`},

		"WriteList":   {"a number makes a list where nothing is", `[{cel: {path: spec.list.1.a, expression: '1'}}, {cel: {path: spec.list.-1, expression: '2'}}]`, head + `"spec":{}}`, head + `"spec":{"list":[null,{"a":1},2]}}`},
		"WriteKey":    {"or is a key, if the path says so", `[{cel: {path: 'spec.ports.:8080', expression: '1'}}, {cel: {path: spec.ports.9090, expression: '2'}}]`, head + `"spec":{}}`, head + `"spec":{"ports":{"8080":1,"9090":2}}}`},
		"WriteDotted": {"a key with dots", `[{regex: {path: 'metadata.labels.example\.org/a\\b', replacement: 'x'}}]`, `{"metadata":{"name":"a"}}`, `{"metadata":{"name":"a","labels":{"example.org/a\\b":"x"}}}`},
		"WriteNull":   {"null gives way", `[{cel: {path: spec.a.b, expression: '1'}}]`, head + `"spec":{"a":null}}`, head + `"spec":{"a":{"b":1}}}`},
		"WriteNoFit":  {"a query that matches nothing is no place", `[{cel: {path: 'spec.list.#(name=="x").a', expression: '1'}}]`, head + `"spec":{"list":[{"name":"a"}]}}`, head + `"spec":{"list":[{"name":"a"}]}}`},
		"WriteFound":  {"below a match, fields are created", `[{cel: {path: 'spec.list.#(name=="a").x.y', expression: '1'}}]`, head + `"spec":{"list":[{"name":"a"}]}}`, head + `"spec":{"list":[{"name":"a","x":{"y":1}}]}}`},
		"Type":        {"the type is restored", `[{regex: {path: kind, replacement: 'X'}}, {delete: {path: apiVersion}}, {cel: {path: spec.k, expression: 'self.kind'}}]`, `{"apiVersion":"a/v1","kind":"A","metadata":{"name":"a"}}`, `{"kind":"A","metadata":{"name":"a"},"spec":{"k":"X"},"apiVersion":"a/v1"}`},
		"NoType":      {"also where there was none", `[{regex: {path: kind, replacement: 'X'}}]`, `{"metadata":{"name":"a"}}`, `{"metadata":{"name":"a"}}`},
		"Bar":         {"a bar is a dot", `[{cel: {path: 'spec|a', expression: '1'}}]`, head + `"spec":{"a":2}}`, head + `"spec":{"a":1}}`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			in := []byte(tc.in)
			got, err := compile(t, tc.rules, "").Spec(t.Context(), in, []byte(other))
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
			if string(in) != tc.in {
				t.Error("the input was changed")
			}
		})
	}
}

func TestStatus(t *testing.T) {
	m := compile(t, "", `[{template: {path: status.url, template: 'https://{{ .Value }}'}},
		{template: {path: status.names, template: '{{ .Self.kind }} {{ .Other.kind }} {{ .Source.kind }} {{ .Destination.kind }} {{ .LocalObject.kind }} {{ .RemoteObject.kind }}'}},
		{cel: {path: status.n, expression: 'self.spec.n + other.spec.n'}}]`)
	const destination = `{"apiVersion":"v2","kind":"ShopOrder","metadata":{"name":"a"},"spec":{"n":1},"status":{"url":"a"}}`
	got, err := m.Status(t.Context(), []byte(destination), []byte(`{"kind":"Order","spec":{"n":2}}`))
	const want = `{"apiVersion":"v2","kind":"ShopOrder","metadata":{"name":"a"},"spec":{"n":1},"status":{"url":"https://a","names":"ShopOrder Order Order ShopOrder ShopOrder Order","n":3}}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("each name is the object that it says, and the two old ones are as before: %v\n%s", err, diff)
	}
	if got, err := m.Spec(t.Context(), []byte(destination), nil); err != nil || string(got) != destination {
		t.Errorf("there are no spec rules: %s, %v", got, err)
	}
}

func TestNothing(t *testing.T) {
	doc := []byte(`no JSON`)
	for name, m := range map[string]*mutation.Mutation{"nil": nil, "empty": compile(t, "", "")} {
		spec, err := m.Spec(t.Context(), doc, nil)
		status, again := m.Status(t.Context(), doc, nil)
		if !m.Empty() || err != nil || again != nil || &spec[0] != &doc[0] || &status[0] != &doc[0] {
			t.Errorf("%s: the same bytes: %v, %v", name, err, again)
		}
	}
	if m, err := mutation.New(nil, field.NewPath("spec", "mutation")); m != nil || err != nil {
		t.Errorf("no rules are no mutation: %v, %v", m, err)
	}
	if compile(t, "[{delete: {path: a}}]", "").Empty() {
		t.Error("a rule is something")
	}
}

func TestNewFaults(t *testing.T) {
	cases := map[string]struct{ reason, rules, want string }{
		"None":     {"a rule without anything", `[{}]`, `spec.mutation.spec[0]: Required value: a rule has one of delete, regex, template and cel`},
		"Two":      {"one rule does one thing", `[{delete: {path: a}, cel: {path: a, expression: "1"}}]`, `spec.mutation.spec[0]: Forbidden: a rule has only one of delete, regex, template and cel; write several rules, in the order that you want`},
		"NoPath":   {"", `[{delete: {path: ""}}]`, `spec.mutation.spec[0].delete.path: Invalid value: a key is empty: a path neither begins nor ends with a dot, and has no two dots in a row`},
		"Modifier": {"a path that computes", `[{cel: {path: "a.@reverse", expression: "1"}}]`, `spec.mutation.spec[0].cel.path: Invalid value: a key begins with @, which a path does not support here; write \@ for the character`},
		"Several":  {"a path to several places", `[{cel: {path: "a.#.b", expression: "1"}}]`, `spec.mutation.spec[0].cel.path: Invalid value: # and #(...)# are several places, or none; name one, such as 0 or #(name=="a")`},
		"Pattern":  {"", `[{regex: {path: a, pattern: "("}}]`, "spec.mutation.spec[0].regex.pattern: Invalid value: error parsing regexp: missing closing ): `(`"},
		"Template": {"", `[{template: {path: a, template: "{{ now }}"}}]`, `spec.mutation.spec[0].template.template: Invalid value: line 1: function "now" not defined`},
		"NoCEL":    {"", `[{cel: {path: a, expression: " "}}]`, `spec.mutation.spec[0].cel.expression: Required value: give an expression`},
		"All":      {"all of them", `[{}, {delete: {path: a}}, {}]`, `[spec.mutation.spec[0]: Required value: a rule has one of delete, regex, template and cel, spec.mutation.spec[2]: Required value: a rule has one of delete, regex, template and cel]`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := mutation.New(&waybill.PublishedMutation{Spec: rules(t, tc.rules)}, field.NewPath("spec", "mutation"))
			if err == nil || err.Error() != tc.want {
				t.Errorf("%s:\nwant %s\ngot  %v", tc.reason, tc.want, err)
			}
		})
	}
	_, err := mutation.New(&waybill.PublishedMutation{Status: rules(t, `[{cel: {path: a, expression: "self."}}]`)}, field.NewPath("a"))
	if err == nil || !strings.HasPrefix(err.Error(), "a.status[0].cel.expression: Invalid value: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error names the field, in one line: %v", err)
	}
}

func TestFailures(t *testing.T) {
	secret := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"spec":{"s":"s3cr3t","o":{"s3cr3t":1},"list":["s3cr3t"],"huge":111111111111111111111111}}`
	cases := map[string]struct{ reason, rule, want string }{
		"Missing":   {"a template writes a missing value", `template: {path: spec.a, template: "{{ .Self.spec.nowhere }}"}`, `.template: at spec.a: the result contains a missing value; use default, or if`},
		"Function":  {"a function that quotes", `template: {path: spec.a, template: "{{ semver .Self.spec.s }}"}`, `.template: at spec.a: template: line 1, column 3: semver cannot be worked out for what it is given`},
		"Through":   {"a text is in the way", `cel: {path: spec.s.a, expression: "1"}`, `.cel: at spec.s.a: a leads through something that is neither an object nor a list`},
		"InList":    {"a list has places", `cel: {path: spec.list.a, expression: "1"}`, `.cel: at spec.list.a: a leads into a list, whose items have numbers`},
		"Far":       {"a place far away", `cel: {path: spec.list.1000000000, expression: "1"}`, `.cel: at spec.list.1000000000: 1000000000 is more than 100 places after the end of a list; if it is a key, write :1000000000`},
		"FarNew":    {"in a new list, too", `cel: {path: spec.new.101, expression: "1"}`, `.cel: at spec.new.101: 101 is more than 100 places after the end of a list; if it is a key, write :101`},
		"NoKey":     {"a key that the expression contains", `cel: {path: spec.a, expression: "self.spec.nowhere"}`, `.cel: at spec.a: no such key: nowhere; test for it with has(), or write a ? after the dot`},
		"NoKeyKnow": {"one that is a value", `cel: {path: spec.a, expression: "self.spec[self.spec.s]"}`, `.cel: at spec.a: the expression fails; the cause is not shown, because it may contain a value`},
		"Convert":   {"an error that quotes", `cel: {path: spec.a, expression: "int(self.spec.s)"}`, `.cel: at spec.a: the expression fails; the cause is not shown, because it may contain a value`},
		"Overload":  {"an error that does not", `cel: {path: spec.a, expression: "self.spec.s + 1"}`, `.cel: at spec.a: no such overload`},
		"Huge":      {"a number that CEL has no type for", `cel: {path: spec.a, expression: "self.spec.huge"}`, `.cel: at spec.a: the expression fails; the cause is not shown, because it may contain a value`},
		"NoJSON":    {"a result without a JSON form", `cel: {path: spec.a, expression: "{self.spec.s: {1: 2}}"}`, `.cel: at spec.a: the result is not plain data: a key of type int has no JSON form`},
		"NoName":    {"an object without a name", `delete: {path: metadata.name}`, `: the rules leave an object without metadata.name`},
		"NoMeta":    {"an object without metadata", `cel: {path: metadata, expression: '"x"'}`, `: the rules leave an object without metadata.name`},
		"Labels":    {"labels are strings", `cel: {path: metadata.labels.a, expression: "1"}`, `: the rules leave metadata.labels that are not strings`},
		"Namespace": {"a namespace is a string", `cel: {path: metadata.namespace, expression: "[1]"}`, `: the rules leave a metadata.namespace that is not a string`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := compile(t, "[{"+tc.rule+"}]", "")
			got, err := m.Spec(t.Context(), []byte(secret), []byte(other))
			want := "spec.mutation.spec[0]" + tc.want
			if strings.HasPrefix(tc.want, ": ") {
				want = "spec.mutation" + tc.want
			}
			if err == nil || err.Error() != want || got != nil {
				t.Errorf("%s:\nwant %s\ngot  %v, %s", tc.reason, want, err, got)
			}
		})
	}
	for _, doc := range []string{"", "[]", `"s3cr3t"`, `{"a": s3cr3t}`, "{}{}"} {
		if _, err := compile(t, "[{delete: {path: a}}]", "").Spec(t.Context(), []byte(doc), nil); err == nil || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", doc, err)
		}
	}
	if _, err := compile(t, "[{cel: {path: a, expression: '1'}}]", "").Spec(t.Context(), []byte(secret), []byte("s3cr3t")); err == nil || strings.Contains(err.Error(), "s3cr3t") {
		t.Error(fmt.Errorf("the other object is none: %w", err))
	}
}
