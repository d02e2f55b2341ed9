package expression_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/cel-go/cel"

	"github.com/waybill-dev/waybill/pkg/status/expression"
)

var plainEnv = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		cel.Variable("obj", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("returned", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("inventory", cel.MapType(cel.StringType, cel.StringType)),
		cel.Variable("propagation", cel.MapType(cel.StringType, cel.DynType)),
	)
})

// plain evaluates an expression with the library alone, as KubeStellar does, and a bound; known is
// false when that passed the bound.
func plain(t testing.TB, text string, v *expression.Vars) (result string, known bool) {
	t.Helper()
	env, err := plainEnv()
	if err != nil {
		t.Fatal(err)
	}
	ast, issues := env.Parse(text)
	if issues.Err() != nil {
		return "error: failed to parse expression: " + issues.Err().Error(), true
	}
	if ast, issues = env.Check(ast); issues.Err() != nil {
		return "error: failed to check expression: " + issues.Err().Error(), true
	}
	program, err := env.Program(ast, cel.CostLimit(20_000))
	if err != nil {
		return "error: failed to check expression: " + err.Error(), true
	}
	got, _, err := program.Eval(v)
	if err != nil && strings.Contains(err.Error(), "cost limit exceeded") {
		return "", false
	}
	return told(got, err), true
}

// FuzzExpression looks for a panic, an evaluation that does not end or that depends on anything but its
// variables, and a result that the library alone would not give: but for what is refused as too
// costly, and what may depend on the order of a map.
func FuzzExpression(f *testing.F) {
	for _, tc := range hostile {
		f.Add(tc.text, `{"a": 1}`)
	}
	for _, text := range []string{
		"obj.spec.replicas == returned.status.readyReplicas", "has(returned.status.a.b) ? returned.status.a.b : inventory.name",
		"returned.status.list.map(x, x + 1)", "returned.status.exists(k, returned.status[k] == 1)", "{'a': [1, 2u, 2.5, null]}['a'][2]",
		"returned.status.list[0] in [1] || 'a' in returned.status", "returned.status.a + returned.status.a", "obj == returned.status",
		"propagation.lastReturnedUpdateTimestamp - timestamp('2026-01-01T00:00:00+02:00') > duration('1h')", "'a'.matches(string(returned.status.a))",
		"returned.status.list.all(x, x.all(y, y == x)) != true", "type(returned.status.a) == int", "[returned.status.a][0].b", "size(returned.status.a) > 1 ? dyn(1) : dyn('a')",
	} {
		f.Add(text, `{"a": {"b": "c"}, "list": [1, "a", [2], {"x": null}, 1.5, 18446744073709551615]}`)
		f.Add(text, `{"a": "abc", "list": [[1], [2, 3]]}`)
	}
	f.Fuzz(func(t *testing.T, text, status string) {
		var data map[string]any
		if err := json.Unmarshal([]byte(status), &data); err != nil || len(text)+len(status) > 20_000 {
			return
		}
		v := expression.NewVars(map[string]any{"spec": map[string]any{"replicas": int64(3)}})
		v.Set("edge1", data, nil, time.Unix(1, 0))
		start := time.Now()
		got, again := run(text, v), run(text, v)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q took %v", text, took)
		}
		if got != again {
			t.Errorf("an expression is a function: %s, then %s", got, again)
		}
		if refused(got) || unordered(text) { // the library alone may not come to an end
			return
		}
		if want, known := plain(t, text, v); known && want != got {
			t.Errorf("%q: got %s, the library alone gives %s", text, got, want)
		}
	})
}

// refused reports whether a result is an error of ours.
func refused(got string) bool {
	for _, ours := range []string{tooCostly, "too much to check", "the expression makes", "a regular expression has", "size exceeds limit", "..."} {
		if strings.Contains(got, ours) {
			return true
		}
	}
	return false
}

// unordered reports whether an expression might go through a map: the library alone then takes any
// order.
func unordered(text string) bool {
	for _, macro := range []string{"all", "exists", "map", "filter"} {
		if strings.Contains(text, macro) {
			return true
		}
	}
	return strings.Contains(text, "{")
}
