package expression_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/status/expression"
)

func vars() *expression.Vars {
	v := expression.NewVars(map[string]any{
		"kind": "Deployment", "spec": map[string]any{"replicas": int64(3), "part": 0.5, "max": uint64(1 << 63), "small": uint64(7)},
		"number": json.Number("12"), "half": json.Number("1.5"), "huge": json.Number("1e400"),
	})
	v.Set("edge1", map[string]any{
		"readyReplicas": int64(2), "phase": "Up", "none": nil, "list": []any{int64(3), "a", nil},
		"conditions": []any{map[string]any{"type": "Progressing", "status": "True"}, map[string]any{"type": "Available", "status": "False"}},
	}, map[string]any{"state": "Failed", "message": "immutable", "conditions": []any{map[string]any{"type": "Applied", "status": "False"}}, "feedback": map[string]any{"a b": int64(1)}},
		time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)))
	return v
}

// run is an expression's result, or its error.
func run(text string, v *expression.Vars) string {
	e, err := expression.Compile(text)
	if err != nil {
		return "error: " + err.Error()
	}
	got, err := e.Eval(v, 0)
	return told(got, err)
}

func told(v ref.Val, err error) string {
	if err != nil {
		return "error: " + strings.TrimPrefix(err.Error(), "failed to evaluate expression: ")
	}
	return types.Format(v)
}

func TestLanguage(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text, want string }{
		"object":          {"the object, whole", "obj.kind + string(obj.spec.replicas)", `"Deployment3"`},
		"status":          {"what is reported", "returned.status.readyReplicas < obj.spec.replicas", "true"},
		"cluster":         {"where", "inventory.name", `"edge1"`},
		"time":            {"when, in UTC", "string(propagation.lastReturnedUpdateTimestamp)", `"2026-01-02T02:04:05Z"`},
		"keys":            {"nothing else", "[size(returned), size(inventory), size(propagation)]", "[1, 1, 1]"},
		"manifest":        {"what the work says has a place of its own", "[manifest.state, manifest.message, manifest.conditions[0].type, manifest.feedback['a b']]", `["Failed", "immutable", "Applied", 1]`},
		"no manifest":     {"but for what people call so themselves", "[1, 2].map(manifest, manifest + 1)", "[2, 3]"},
		"has":             {"the way to ask", "has(returned.status.readyReplicas) && !has(returned.status.nothing)", "true"},
		"macros":          {"every macro", "returned.status.conditions.filter(c, c.status == 'True').map(c, c.type)[0] + (returned.status.conditions.all(c, has(c.type)) && returned.status.conditions.exists(c, c.type == 'Available') && returned.status.conditions.exists_one(c, c.type == 'Available') ? '!' : '?')", `"Progressing!"`},
		"whole numbers":   {"however they were read", "[obj.number, obj.spec.small, obj.half, obj.spec.max]", "[12, 7, 1.5, 9223372036854776000.0]"},
		"too large":       {"a number that is none", "obj.huge", `error: strconv.ParseFloat: parsing "1e400": value out of range`},
		"null":            {"null is there", "has(returned.status.none) && returned.status.none == null", "true"},
		"missing":         {"the library's words", "returned.status.nothing", "error: no such key: nothing"},
		"no map":          {"likewise", "returned.status.phase.x", "error: no such key: x"},
		"index":           {"likewise", "returned.status.list[3]", "error: index out of bounds: 3"},
		"division":        {"likewise", "1 / 0", "error: division by zero"},
		"overload":        {"likewise", "obj.spec.replicas + 1.5", "error: no such overload"},
		"no addition":     {"likewise", "obj.spec + obj.spec == {}", "error: no such overload: _+_"},
		"no parts":        {"likewise", "'a' in obj.kind", "error: no such overload: @in"},
		"no loop":         {"likewise", "obj.kind.all(c, true)", "error: got 'types.String', expected iterable type"},
		"no loop, number": {"likewise", "obj.number.all(c, true)", "error: got 'types.Int', expected iterable type"},
		"failed range":    {"likewise", "returned.status.nothing.all(c, true)", "error: no such key: nothing"},
		"no match":        {"likewise", "obj.kind.matches(obj.spec)", "error: no such overload: matches"},
		"bad pattern":     {"likewise", "obj.kind.matches('[')", "error: error parsing regexp: missing closing ]: `[`"},
		"matches":         {"patterns, also made ones", "obj.kind.matches('^Dep') && matches(obj.kind, 'ment$') && obj.kind.matches('^' + obj.kind + '$') && !obj.kind.matches('x')", "true"},
		"made up for":     {"an error counts only where it matters", "obj.nothing == 1 || obj.kind == 'Deployment'", "true"},
		"mixed":           {"numbers of two types compare", "obj.number > 11.5 && obj.number == 12.0 && obj.spec.part < 1", "true"},
		"lists":           {"lists and maps compare by their parts", "[1, 2] == [1, 2] && {'a': 1, 'b': 2} == {'b': 2, 'a': 1} && {'a': 1} != {'a': 2} && 3 in returned.status.list && 'phase' in returned.status && [1] + [2] == [1, 2]", "true"},
		"order":           {"maps come in order, whatever their keys", "[returned.status.map(k, k), {'b': 1, 'a': 2}.map(k, k), {3: 1, 10: 1, 2: 1}.map(k, k), {true: 1, false: 1}.map(k, k), {dyn('b'): 1, dyn(2): 1, dyn('a'): 1}.map(k, string(k))]", `[["conditions", "list", "none", "phase", "readyReplicas"], ["a", "b"], [2, 3, 10], [false, true], ["2", "a", "b"]]`},
		"nested loops":    {"loops in loops", "[1, 2].map(x, [10, 20].filter(y, y > x * 10).map(y, x + y))", "[[21], []]"},
		"loop over map":   {"values by their keys", "returned.status.filter(k, k.startsWith('r')).map(k, returned.status[k])", "[2]"},
		"zones":           {"time zones by name and by number", "timestamp('2026-07-01T00:00:00Z').getHours('Europe/Paris') * 100 + timestamp('2026-07-01T00:00:00Z').getHours('-02:00')", "222"},
		"no extensions":   {"no functions for texts", "obj.kind.lowerAscii()", "error: failed to check expression: ERROR: <input>:1:20: undeclared reference to 'lowerAscii' (in container '')\n | obj.kind.lowerAscii()\n | ...................^"},
		"no optionals":    {"no optional syntax", "obj.?kind", "error: failed to parse expression: ERROR: <input>:1:4: unsupported syntax '.?'\n | obj.?kind\n | ...^"},
		"our own names":   {"what is ours cannot be named", "@meter", "error: failed to parse expression: ERROR: <input>:1:1: Syntax error: token recognition error at: '@'\n | @meter\n | ^"},
		"types":           {"declared types are checked", "inventory.name == 1", "error: failed to check expression: ERROR: <input>:1:16: found no matching overload for '_==_' applied to '(string, int)'\n | inventory.name == 1\n | ...............^"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, run(tc.text, vars())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestLocalZone holds that the zone of the machine makes no difference, where Go would take it for one
// that is written as a number.
func TestLocalZone(t *testing.T) {
	texts := []string{
		"string(timestamp('2026-03-28T12:00:00+01:00') + duration('24h'))",
		"string((timestamp('2026-03-28T12:00:00+01:00') + duration('24h')).getHours())",
	}
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	defer func(zone *time.Location) { time.Local = zone }(time.Local)
	for _, zone := range []*time.Location{time.UTC, paris} { // summer time begins in Paris that night
		time.Local = zone
		got := []string{run(texts[0], vars()), run(texts[1], vars())}
		if diff := cmp.Diff([]string{`"2026-03-29T12:00:00+01:00"`, `"11"`}, got); diff != "" {
			t.Errorf("in %v (-want +got):\n%s", zone, diff)
		}
	}
}

func TestLimit(t *testing.T) {
	e, err := expression.Compile("[1, 2, 3].all(x, x > 0) || true")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.Eval(vars(), 100); told(got, err) != "true" {
		t.Errorf("what is within the limit passes, got %s", told(got, err))
	}
	if got, err := e.Eval(vars(), 10); told(got, err) != "error: "+expression.ErrCost.Error() {
		t.Errorf("what is not fails, even where the rest would make up for it, got %s", told(got, err))
	}
}

func TestConcurrentUse(t *testing.T) {
	compiled := map[string]*expression.Expression{}
	for _, text := range []string{"inventory.name", "obj.nothing + 'a'", "obj.kind < 1", "obj.map(k, k)[0].matches('a')"} {
		e, err := expression.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		compiled[text] = e
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			v, name := vars(), fmt.Sprint("edge", i)
			v.Set(name, nil, nil, time.Time{})
			for range 100 {
				for text, e := range compiled {
					got, err := e.Eval(v, 0)
					if text == "inventory.name" && told(got, err) != fmt.Sprintf("%q", name) {
						t.Errorf("each evaluation sees its own variables: got %s, want %q", told(got, err), name)
					}
				}
			}
		})
	}
	group.Wait()
}

// TestAsksManifest tells the variable from other uses of the word.
func TestAsksManifest(t *testing.T) {
	for text, want := range map[string]bool{
		"manifest.state == 'Failed'": true, "has(manifest.feedback.a)": true, "[manifest]": true,
		"[1].all(x, manifest.state == '' || x > 0)": true, "[1].all(manifest, manifest > 0)": false,
		"returned.status.manifest": false, "'manifest'": false, "inventory.name": false,
	} {
		e, err := expression.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.ReadsManifest(); got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
}

// TestUnsaid wants all fields of manifest where nothing is said, so that no expression fails there.
func TestUnsaid(t *testing.T) {
	v := expression.NewVars(nil)
	v.Set("edge1", nil, nil, time.Time{})
	if got := run("manifest.state == '' && manifest.message == '' && manifest.conditions == [] && manifest.feedback == {}", v); got != "true" {
		t.Error(got)
	}
}
