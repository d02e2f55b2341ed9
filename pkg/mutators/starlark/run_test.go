package starlark

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// noSuchOrder is how the library says that two values cannot be put in order.
const noSuchOrder = "not" + " implemented"

const tooDeep = "functions call themselves or each other more than 1000 deep"

// TestPlaces holds errors to the place in the script, by its name and line.
func TestPlaces(t *testing.T) {
	const first = "r = ctx.resource_list[\"items\"][0]\n"
	cases := map[string]struct{ reason, script, want string }{
		"index":        {"in the first line", "ctx.resource_list[\"items\"][0][\"spec\"]", `s:1:30: key "spec" not in dict`},
		"in a loop":    {"in the statement that comes first", "for r in ctx.resource_list[\"items\"]:\n  x = r[\"spec\"]", `s:2:8: key "spec" not in dict`},
		"attribute":    {"a method that is none", first + "r.name", "s:2:2: dict has no .name field or method"},
		"operator":     {"an operator", first + "x = 1 + r", "s:2:7: unknown binary op: int + dict"},
		"first":        {"an operator first of all", "1 + \"a\"", "s:1:3: unknown binary op: int + string"},
		"sign":         {"a sign", "-\"a\"", "s:1:1: unknown unary op: - string"},
		"comparison":   {"a comparison", "x = 1 < \"a\"", "s:1:7: int < string " + noSuchOrder},
		"in place":     {"an operator that assigns", first + "r += 1", "s:2:3: unknown binary op: dict + int"},
		"key":          {"a key that is none", first + "r[[]] = 1", "s:2:2: unhashable type: list"},
		"slice":        {"a part of what has none", first + "x = r[1:2]", "s:2:6: invalid slice operand dict"},
		"made":         {"a map that is written down", "x = {[]: 1}", "s:1:8: unhashable type: list"},
		"made of keys": {"or made by a loop", "x = {[]: 1 for i in [1]}", "s:1:8: unhashable type: list"},
		"spread":       {"arguments that are none", "def f(*a):\n  pass\nf(*1)", "s:3:2: argument after * must be iterable, not int"},
		"function":     {"inside of a function", "def f(x):\n  return x.y\nf(1)", "s:2:11: int has no .y field or method"},
		"builtin":      {"of a builtin", "x = 1\nint(\"a\")", "s:2:4: int: invalid literal with base 10: a"},
		"price":        {"of what costs too much", "x = 1\ny = [0] * (1 << 29)", "s:2:9: " + tooMuchWork},
		"syntax":       {"what cannot be read", "x = (", "s:1:6: got end of file, want primary expression"},
		"names":        {"an undefined name", "x = 1\nx = y", "s:2:5: undefined: y"},
		"load":         {"what is not supported", "load(\"http.star\", \"http\")", "s:1:1: library \"http.star\" is not supported: a function has no network; supported are encoding/base64.star, encoding/json.star, encoding/yaml.star, hash.star, krmfn.star, math.star, re.star"},
		"library":      {"in a function of a library", "load(\"encoding/json.star\", \"json\")\njson.decode(\"{\")", "s:2:12: json.decode: unexpected end of JSON input"},
		"recursion":    {"calls that are too deep", "def f(n):\n  return f(n + 1)\nf(0)", "s:1:1: " + tooDeep},
		"mutual":       {"of several functions", "def f(n):\n  return g(n)\ng = lambda n: f(n)\nf(0)", "s:1:1: " + tooDeep},
		"lambda":       {"of one without a name", "g = lambda n: g(n + 1)\ng(0)", "s:1:15: " + tooDeep},
		"by a builtin": {"by way of a builtin", "def f(n):\n  return sorted([n], key=f)\nf(0)", "s:1:1: " + tooDeep},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, runScript(t, c.script)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

// TestErrorsNameTheirPlace holds results to the object and the field that they are about.
func TestErrorsNameTheirPlace(t *testing.T) {
	cases := map[string]struct{ reason, script, want string }{
		"script":  {"what the script does is about the script", "x = 1 + \"a\"", "[error] StarlarkRun s source: s:1:7: unknown binary op: int + string"},
		"item":    {"what it leaves names the object", "ctx.resource_list[\"items\"][0][\"a\"] = {1: 2}", "[error] StarlarkRun s source: items[0] (ConfigMap a): a: a key is a int, want text"},
		"new":     {"or what would be one", "ctx.resource_list[\"items\"].append({\"kind\": \"B\"})", "[error] StarlarkRun s source: items[1] (a new B): a new object has no apiVersion"},
		"no name": {"or its number", "ctx.resource_list[\"items\"].append({})", "[error] StarlarkRun s source: items[1]: a new object has no apiVersion"},
	}
	for name, c := range cases {
		out := Function.Apply(t.Context(), input(t, c.script, "kind: ConfigMap\nmetadata: {name: a}\n"))
		if d := cmp.Diff(c.want, fn.FormatResult(out.Results[0])); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, c.reason, d)
		}
	}
}

// TestStops runs a script without end, which its context ends.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, input(t, "while True:\n  pass", "kind: A\n")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the end of the context is the error: %v", err)
	}
	if _, err := Run(ctx, input(t, "pass", "kind: A\n")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("also before it begins: %v", err)
	}
}

// TestSecretsAreNotShown lets scripts print and fail with what Secrets hold.
func TestSecretsAreNotShown(t *testing.T) {
	const objects = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: aHVudGVyMg==}\nstringData:\n  b: hunter2\n  c: |\n    -----BEGIN\n    quo\"ted\\line\n" +
		"---\nkind: ManifestWork\nmetadata: {name: w}\nspec:\n- kind: Secret\n  data: {x: ZGVlcA==}\n---\nkind: ConfigMap\nmetadata: {name: m}\ndata: {z: shown}\n"
	const items = "i = ctx.resource_list[\"items\"]\ns = i[0][\"stringData\"]\n"
	cases := map[string]struct{ reason, script, want string }{
		"print":     {"printed", "print(s[\"b\"], i[0][\"data\"][\"a\"])", "[info] print[0]: *** ***"},
		"whole":     {"an object as it is", "print(i[0][\"stringData\"])", `[info] print[0]: {"b": "***", "c": "***\n***\n"}`},
		"in others": {"a Secret inside of another object", "print(i[1])", `[info] print[0]: {"kind": "ManifestWork", "metadata": {"name": "w"}, "spec": [{"kind": "Secret", "data": {"x": "***"}}]}`},
		"line":      {"a line of a longer one", "print(s[\"c\"].splitlines()[0])", "[info] print[0]: ***"},
		"fail":      {"in an error", "fail(s[\"b\"])", "[error] StarlarkRun s source: s:3:5: fail: ***"},
		"number":    {"in what the interpreter says of it", "float(s[\"b\"])", "[error] StarlarkRun s source: s:3:6: invalid float literal: ***"},
		"key":       {"or of a key", "i[0][s[\"b\"]]", `[error] StarlarkRun s source: s:3:5: key "***" not in dict`},
		"cut":       {"nor a part of it at the end of a long line", "print(\"x\" * 996 + s[\"b\"])", "[info] print[0]: " + strings.Repeat("x", 996) + "***"},
		"decoded":   {"decoded by a library", "load(\"encoding/base64.star\", \"base64\")\nprint(base64.decode(i[1][\"spec\"][0][\"data\"][\"x\"]))", "[info] print[0]: ***"},
		"encoded":   {"and encoded", "load(\"encoding/base64.star\", \"base64\")\nprint(base64.encode(s[\"b\"]), base64.encode(s[\"c\"], encoding=\"url_raw\"))", "[info] print[0]: *** ***"},
		"others":    {"what others hold is shown", "print(i[2][\"data\"][\"z\"])", "[info] print[0]: shown"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out := Function.Apply(t.Context(), input(t, items+c.script, objects))
			if d := cmp.Diff(c.want, fn.FormatResult(out.Results[0])); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}
