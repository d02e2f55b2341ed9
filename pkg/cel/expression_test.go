package cel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	"github.com/google/go-cmp/cmp"

	celbound "github.com/waybill-dev/waybill/pkg/cel"
)

// language has more than any user of the room has.
func language(o celbound.Options) (*celbound.Env, error) {
	o.Language = append(o.Language, cel.OptionalTypes(), ext.TwoVarComprehensions(), ext.Sets(),
		cel.Variable("input", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("names", cel.MapType(cel.StringType, cel.StringType)),
		cel.Variable("any", cel.DynType))
	return celbound.New(o)
}

var shared = sync.OnceValues(func() (*celbound.Env, error) { return language(celbound.Options{}) })

func env(t testing.TB) *celbound.Env {
	t.Helper()
	e, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func vars() celbound.Vars {
	ports := []any{map[string]any{"name": "http", "port": int64(80)}, map[string]any{"name": "grpc", "port": int64(9000)}}
	return celbound.NewVars(map[string]any{
		"input": map[string]any{"metadata": map[string]any{"name": "web", "labels": map[string]any{"b": "2", "a": "1"}}, "spec": map[string]any{"ports": ports}, "big": int64(9007199254740993)},
		"names": map[string]string{"z": "26", "a": "1", "m": "13"},
		"any":   nil,
	})
}

// run is what becomes of an expression.
func run(t testing.TB, text string, v celbound.Vars) string {
	t.Helper()
	p, err := env(t).Compile(text)
	if err != nil {
		return "error: " + err.Error()
	}
	got, err := p.Eval(context.Background(), v, celbound.MaxCost)
	if err != nil {
		return "error: " + err.Error()
	}
	return types.Format(got)
}

func TestLanguage(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text, want string }{
		"path":          {"variables by name", "input.metadata.name", `"web"`},
		"objects":       {"what a hook makes of ports", `input.spec.ports.map(p, {"kind": "Probe", "name": input.metadata.name + "-" + p.name, "port": p.port})`, `[{"kind": "Probe", "name": "web-http", "port": 80}, {"kind": "Probe", "name": "web-grpc", "port": 9000}]`},
		"order":         {"keys of maps come in order", "[names.map(k, k), input.metadata.labels.map(k, k), {3: 1, 1: 1, 2: 1}.map(k, k)]", `[["a", "m", "z"], ["a", "b"], [1, 2, 3]]`},
		"pairs":         {"and so do keys and values", "[names.transformList(k, v, k + v), {'b': 1, 'a': 2}.transformList(k, v, k), ['x', 'y'].transformList(i, v, string(i) + v)]", `[["a1", "m13", "z26"], ["a", "b"], ["0x", "1y"]]`},
		"maps of maps":  {"loops make maps, too", "{'b': 1, 'a': 2}.transformMap(k, v, v > 1, v * 2)", `{"a": 4}`},
		"optionals":     {"optional parts", "[input.?spec.?nothing.orValue('none'), {?'a': input.?big, ?'b': input.?small}, [?names[?'a'], ?names[?'b']]]", `["none", {"a": 9007199254740993}, ["1"]]`},
		"no copies":     {"a macro that writes down twice what it is called on is none of ours", "input.?big.optMap(any, any)", "error: ERROR: <input>:1:18: undeclared reference to 'optMap' (in container '')\n | input.?big.optMap(any, any)\n | .................^"},
		"library":       {"functions of a library", "sets.contains([1, 2], [2])", "true"},
		"constant list": {"a list that is made once is not changed by anyone", "[1, 2].map(x, [1, 2] + [x])", "[[1, 2, 1], [1, 2, 2]]"},
		"no variable":   {"a variable without a value", "any == null", "true"},
		"our names":     {"what is ours cannot be named", "@meter", "error: ERROR: <input>:1:1: Syntax error: token recognition error at: '@'\n | @meter\n | ^"},
		"types":         {"declared types are checked", "names.a + 1", "error: ERROR: <input>:1:9: found no matching overload for '_+_' applied to '(string, int)'\n | names.a + 1\n | ........^"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, run(t, tc.text, vars())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestEval(t *testing.T) {
	p, err := env(t).Compile("[1, 2, 3].all(x, x > 0) || true")
	if err != nil {
		t.Fatal(err)
	}
	v := vars()
	if got, err := p.Eval(t.Context(), v, 100); got != types.True || err != nil {
		t.Errorf("what is within the limit passes, got %v, %v", got, err)
	}
	if _, err := p.Eval(t.Context(), v, 30); !errors.Is(err, celbound.ErrCost) {
		t.Errorf("what is not fails, even where the rest would make up for it, got %v", err)
	}
	if _, err := p.Eval(t.Context(), v, 5); !errors.Is(err, celbound.ErrCost) {
		t.Errorf("to evaluate each part once costs, too, got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Eval(ctx, v, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("want the error of the context, got %v", err)
	}
}

// TestMaxCost holds that a user may allow more than others do, and never more than that.
func TestMaxCost(t *testing.T) {
	const loops = "any.map(a, any.map(b, a + b)).size()"
	list := make([]any, 200)
	for i := range list {
		list[i] = int64(i)
	}
	v := celbound.NewVars(map[string]any{"any": list})
	for name, tc := range map[string]struct {
		reason             string
		most, limit, costs int
		fails              bool
	}{
		"usual":  {"what is not said is the constant", 0, 1 << 40, celbound.MaxCost, true},
		"more":   {"as much as there is need of", 2_000_000, 1 << 40, 2_000_000, false},
		"limit":  {"one evaluation may get less", 2_000_000, 1000, 1000, true},
		"little": {"or all of them", 1000, 1 << 40, 1000, true},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := language(celbound.Options{MaxCost: tc.most})
			if err != nil {
				t.Fatal(err)
			}
			p, err := e.Compile(loops)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = p.Eval(t.Context(), v, tc.limit); errors.Is(err, celbound.ErrCost) != tc.fails || v.Spent() > tc.costs {
				t.Errorf("%s: got %v, which cost %d", tc.reason, err, v.Spent())
			}
		})
	}
}

// TestExact holds what becomes of whole numbers that int64 has no room for.
func TestExact(t *testing.T) {
	data := []any{int64(math.MaxInt64), uint64(math.MaxInt64) + 1, uint64(math.MaxUint64), json.Number("18446744073709551615"), json.Number("1.5"), json.Number("1e30")}
	for name, tc := range map[string]struct {
		reason string
		exact  bool
		want   []any
	}{
		"exact":   {"they stay what they are", true, []any{int64(math.MaxInt64), uint64(math.MaxInt64) + 1, uint64(math.MaxUint64), uint64(math.MaxUint64), 1.5, 1e30}},
		"doubles": {"without Exact, they are the nearest doubles", false, []any{int64(math.MaxInt64), math.Ldexp(1, 63), math.Ldexp(1, 64), math.Ldexp(1, 64), 1.5, 1e30}},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := language(celbound.Options{Exact: tc.exact})
			if err != nil {
				t.Fatal(err)
			}
			p, err := e.Compile("any.map(x, x)")
			if err != nil {
				t.Fatal(err)
			}
			value, err := p.Eval(t.Context(), celbound.NewVars(map[string]any{"any": data}), celbound.MaxCost)
			if err != nil {
				t.Fatal(err)
			}
			got, err := celbound.Plain(value)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(any(tc.want), got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			_, err = p.Eval(t.Context(), celbound.NewVars(map[string]any{"any": []any{json.Number("18446744073709551616")}}), celbound.MaxCost)
			if (err != nil) != tc.exact {
				t.Errorf("%s: beyond uint64: got %v", tc.reason, err)
			}
		})
	}
}

// TestSpent checks that the cost is reported, and the same every time.
func TestSpent(t *testing.T) {
	p, err := env(t).Compile("names.map(k, names[k]).exists(x, x == 'a')")
	if err != nil {
		t.Fatal(err)
	}
	v := vars()
	var costs []int
	for range 2 {
		if _, err := p.Eval(t.Context(), v, 1000); err != nil {
			t.Fatal(err)
		}
		costs = append(costs, v.Spent())
	}
	if costs[0] != costs[1] || costs[0] < 30 || costs[0] > 300 {
		t.Errorf("want a moderate cost, the same twice: %v", costs)
	}
}

func TestAccept(t *testing.T) {
	no := errors.New("no")
	e, err := language(celbound.Options{Accept: func(*cel.Env, *cel.Ast) error { return no }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Compile("1"); !errors.Is(err, no) {
		t.Errorf("a user may refuse, got %v", err)
	}
	var fault *celbound.Fault
	if _, err := e.Compile("1 +"); !errors.As(err, &fault) || fault.Stage != "parse" {
		t.Errorf("it is asked only about what is well formed, got %v", err)
	}
	if _, err := e.Compile("1 + 'a'"); !errors.As(err, &fault) || fault.Stage != "check" {
		t.Errorf("and typed, got %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	compiled := map[string]*celbound.Program{}
	for _, text := range []string{"names.a", "input.nothing + 'a'", "input.metadata.name < 1", "names.map(k, k)[0].matches('a')"} {
		p, err := env(t).Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		compiled[text] = p
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			want := fmt.Sprint("edge", i)
			v := celbound.NewVars(map[string]any{"names": map[string]string{"a": want}, "input": map[string]any{"metadata": map[string]any{"name": "x"}}})
			for range 100 {
				for text, p := range compiled {
					got, err := p.Eval(context.Background(), v, 1000)
					if text == "names.a" && (err != nil || got != types.String(want)) {
						t.Errorf("each evaluation sees its own variables: got %v, %v, want %q", got, err, want)
					}
				}
			}
		})
	}
	group.Wait()
}

func TestHostile(t *testing.T) {
	list := make([]any, 1000)
	for i := range list {
		list[i] = int64(i)
	}
	v := celbound.NewVars(map[string]any{"input": map[string]any{"list": list, "long": strings.Repeat("x", 60_000)}, "names": map[string]string{}, "any": list})
	for name, tc := range map[string]struct{ reason, text, want string }{
		"library":     {"a library's function pays for what it looks at, every time", "input.list.all(x, sets.contains(any, any))", "costs too much"},
		"pairs":       {"loops over keys and values pay, too", "any.transformList(i, a, any.transformList(j, b, a + b))", "costs too much"},
		"grown map":   {"and what they make may grow in its place", "any.transformMap(i, a, a).size()", ""},
		"optional":    {"what is in an optional counts", "[[dyn(1)]]" + strings.Repeat(".map(x, dyn([optional.of(x), optional.of(x)]))", 25) + ".size() > 0", "costs too much"},
		"conversions": {"a text that is made of another one is paid for", "any.all(x, string(bytes(input.long)).size() > 0)", "costs too much"},
		"regex":       {"a pattern is paid for by its states", "input.long.matches('(x|y)*?(a|b|c)z')", "costs too much"},
		"depth":       {"a variable is looked for in every loop", strings.Repeat("[input].all(a, ", 60) + "any.all(b, [b, b, b, b, b, b] != [b])" + strings.Repeat(")", 60), "costs too much"},
		"keys":        {"to put keys in order costs", "any.all(x, {1: 1, 2: x, 3: 3}.all(k, {1: x, 2: 2, 3: 3}.all(l, true)))", "costs too much"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, tc.text, v)
			if failed := strings.HasPrefix(got, "error: "); failed != (tc.want != "") || !strings.Contains(got, tc.want) {
				t.Errorf("%s: got %.300q, want an error with %q", tc.reason, got, tc.want)
			}
		})
	}
}
