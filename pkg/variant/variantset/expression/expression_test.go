package expression_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/variant/variantset/expression"
)

func vars() *expression.Vars {
	o := expression.Object{Name: "lyon-2", Namespace: "fleet", Labels: map[string]string{"region": "fr", "tier": "1"}, Annotations: map[string]string{"note": "é"}}
	return &expression.Vars{
		RepoDefault: "edge", PackageDefault: "upf",
		Upstream: expression.Of(expression.Object{Name: "up"}), Target: expression.Of(o), Repository: expression.OfPackage("r", "p"),
	}
}

func TestLanguage(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text, want string }{
		"default":           {"a string variable", "repoDefault + '/' + packageDefault", "edge/upf"},
		"object":            {"what is seen of an object", "target.name + target.namespace + target.labels.region + target.annotations['note']", "lyon-2fleetfré"},
		"package":           {"what is seen of a named package", "repository.repo + repository.package", "rp"},
		"no maps":           {"an object without labels has empty ones", "'a' in upstream.labels || upstream.annotations.size() > 0 ? 'yes' : 'no'", "no"},
		"choice":            {"the way to ask for what may not be there", "'zone' in target.labels ? target.labels['zone'] : 'none'", "none"},
		"has":               {"or so", "has(target.labels.zone) ? 'yes' : 'no'", "no"},
		"missing key":       {"the library's words", "target.labels['zone']", "error: no such key: zone"},
		"missing field":     {"likewise", "target.spec", "error: no such key: spec"},
		"unknown variable":  {"one line, with the place", "site.name", "error: ERROR: <input>:1:1: undeclared reference to 'site' (in container '')"},
		"two faults":        {"all of them", "a + b", "error: ERROR: <input>:1:1: undeclared reference to 'a' (in container ''); ERROR: <input>:1:5: undeclared reference to 'b' (in container '')"},
		"many faults":       {"three are enough", "a + b + c + d + e", "error: ERROR: <input>:1:1: undeclared reference to 'a' (in container ''); ERROR: <input>:1:5: undeclared reference to 'b' (in container ''); ERROR: <input>:1:9: undeclared reference to 'c' (in container ''); and 2 more"},
		"long fault":        {"and of each the start", "target['" + strings.Repeat("x", 1000) + "']", "error: no such key: " + strings.Repeat("x", 487) + "..."},
		"empty":             {"nothing is no expression", "", "error: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting "},
		"number":            {"results are strings", "1 + 1", "error: the result of an expression must be a string, got int"},
		"guessed bytes":     {"the compiler takes this for bytes", "target.name + target.labels['region']", "lyon-2fr"},
		"bytes":             {"bytes are no string", "b'a'", "error: the result of an expression must be a string, got bytes"},
		"order":             {"maps come in order, whatever their keys", "target.labels.map(k, k)[0] + {'b': 1, 'a': 2, 'c': 3}.map(k, k)[0] + string({3: 1, 10: 1, 2: 1}.map(k, k)[1]) + string({true: 1, false: 1}.map(k, k)[0]) + target.map(k, k)[0] + repository.map(k, k)[0]", "regiona3falseannotationspackage"},
		"mixed keys":        {"even of two types", "{dyn('b'): 1, dyn(2): 1, dyn('a'): 1, dyn(1): 1}.map(k, string(k)) == ['1', '2', 'a', 'b'] ? 'a' : 'b'", "a"},
		"equal maps":        {"order does not count", "{'b': 1, 'a': 2} == {'a': 2, 'b': 1} && {'a': 1} in [{'a': 1}] && target.labels == {'tier': '1', 'region': 'fr'} ? 'a' : 'b'", "a"},
		"map":               {"a dynamic result, too", "target.labels", "error: the result of an expression must be a string, got map"},
		"conversion":        {"the standard library", "string(size(target.labels)) + string(int('7')) + string(1.5) + string(true)", "271.5true"},
		"UTC":               {"and its time zone", "string(timestamp('2026-01-01T00:00:00+02:00').getHours())", "22"},
		"mixed list":        {"lists have parts of one type", "['a', 1].size() == 2 ? 'a' : 'b'", "error: ERROR: <input>:1:7: expected type 'string' but found 'int'"},
		"no extensions":     {"no functions for strings", "target.name.split('-')[0]", "error: ERROR: <input>:1:18: undeclared reference to 'split' (in container '')"},
		"no Kubernetes":     {"nor Kubernetes's", "quantity('1') == 1 ? 'a' : 'b'", "error: ERROR: <input>:1:9: undeclared reference to 'quantity' (in container '')"},
		"lists":             {"every macro", "['a','b'].filter(x, x != 'a').map(x, x + x)[0] + (['a'].exists(x, x == 'a') && ['a'].all(x, x == 'a') && ['a'].exists_one(x, x == 'a') ? '!' : '?')", "bb!"},
		"list addition":     {"ours in place of the library's", "(['a'] + ['b'])[1]", "b"},
		"number addition":   {"likewise", "string(1 + 2) + string(b'a' + b'b') + string(duration('1s') + duration('2s'))", "3ab3s"},
		"bad addition":      {"the library's words", "target.name + target.labels", "error: no such overload"},
		"no addition":       {"likewise", "(target.labels + target.labels).x", "error: no such overload: _+_"},
		"equality":          {"of all types", "[1, 2] == [1, 2] && {'a': 1} != {'a': 2} && dyn(1) == dyn(1.0) && target.name != repoDefault ? 'a' : 'b'", "a"},
		"failed comparison": {"the first error counts", "target.x == target.y ? 'a' : 'b'", "error: no such key: x"},
		"failed right side": {"or the second", "1 != target.y ? 'a' : 'b'", "error: no such key: y"},
		"in":                {"lists and maps", "'a' in ['a'] && 'region' in target.labels && !('x' in ['a']) ? 'a' : 'b'", "a"},
		"in a text":         {"a text has no parts", "'a' in target.name ? 'a' : 'b'", "error: no such overload: @in"},
		"matches":           {"constant patterns", "target.name.matches('^lyon-[0-9]$') && matches(target.name, 'on') && !target.name.matches('^on') ? 'a' : 'b'", "a"},
		"dynamic pattern":   {"and those from variables", "'france'.matches('^' + target.labels.region) ? 'a' : 'b'", "a"},
		"bad pattern":       {"the library's words", "target.name.matches('[') ? 'a' : 'b'", "error: error parsing regexp: missing closing ]: `[`"},
		"no pattern":        {"a pattern is a text", "target.name.matches(target.labels) ? 'a' : 'b'", "error: no such overload: matches"},
		"no text":           {"and so is what it matches", "target.labels.matches('a') ? 'a' : 'b'", "error: no such overload: matches"},
		"large class":       {"a class is one state, however many letters it has", "target.annotations.note.matches('^\\\\pL{1,100}$') ? 'a' : 'b'", "a"},
		"no such variable":  {"a value may be absent", "absent.name", "error: ERROR: <input>:1:1: undeclared reference to 'absent' (in container '')"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(tc.text, vars())
			if name == "empty" { // the library goes on with all that it knows
				got = got[:min(len(got), len(tc.want))]
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestAbsentVariable(t *testing.T) {
	if diff := cmp.Diff("error: no such attribute(s): repository", run("repository.name", &expression.Vars{})); diff != "" {
		t.Errorf("only an expression that asks for it fails (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("a", run("true ? 'a' : repository.name", &expression.Vars{})); diff != "" {
		t.Errorf("only an expression that asks for it fails (-want +got):\n%s", diff)
	}
}

func TestLongResult(t *testing.T) {
	v := vars()
	v.RepoDefault = strings.Repeat("x", 64<<10)
	if diff := cmp.Diff(v.RepoDefault, run("repoDefault", v)); diff != "" {
		t.Errorf("a result may be as long as a text (-want +got):\n%s", diff)
	}
	v.RepoDefault += "x"
	if diff := cmp.Diff("error: the expression makes a text of more than 65536 bytes", run("repoDefault", v)); diff != "" {
		t.Errorf("no longer (-want +got):\n%s", diff)
	}
}

func TestConcurrentUse(t *testing.T) {
	programs := map[string]*expression.Program{}
	for _, text := range []string{"target.name", "target.labels.x + 'a'", "target.name < 1 ? 'a' : 'b'", "target.name.matches('a') ? 'a' : 'b'"} {
		p, err := expression.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		programs[text] = p
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			v := vars()
			v.Target = expression.Of(expression.Object{Name: fmt.Sprint("n", i)})
			for range 100 {
				for text, p := range programs {
					got, _, err := p.Eval(v)
					if want := fmt.Sprint("n", i); text == "target.name" && (got != want || err != nil) {
						t.Errorf("each evaluation sees its own variables: got %q, want %q, %v", got, want, err)
					}
				}
			}
		})
	}
	group.Wait()
}

// FuzzExpression looks for a panic, a result that is not a short text, a cost out of bounds or an
// evaluation that depends on anything but its variables.
func FuzzExpression(f *testing.F) {
	for _, tc := range hostile {
		f.Add(tc.text)
	}
	for _, text := range []string{"target.name", "repoDefault + '-' + target.labels['region']", "has(target.x)", "1/0", "'' + '\\u0000'", "[1,[2]]", "{1:2}[1]", "dyn(x)"} {
		f.Add(text)
	}
	vars := hostileVars()
	f.Fuzz(func(t *testing.T, text string) {
		p, err := expression.Compile(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || err.Error() == "" || len(err.Error()) > 2000 {
				t.Fatalf("an error is one line, got %q", err)
			}
			return
		}
		result, cost, err := p.Eval(vars)
		again, sameCost, sameErr := p.Eval(vars)
		if result != again || cost != sameCost || fmt.Sprint(err) != fmt.Sprint(sameErr) {
			t.Fatalf("an expression is a function: %q %d %v, then %q %d %v", result, cost, err, again, sameCost, sameErr)
		}
		if len(result) > 64<<10 || cost > 3*expression.MaxCost || err != nil && (result != "" || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("%d bytes for %d, %v", len(result), cost, err)
		}
	})
}

func BenchmarkEval(b *testing.B) {
	for name, text := range map[string]string{"name": "'upf-' + target.name", "choice": "'region' in target.labels ? target.labels['region'] : 'none'", "loop": "target.labels.exists(k, k.startsWith('reg')) ? 'a' : 'b'"} {
		b.Run(name, func(b *testing.B) {
			p, err := expression.Compile(text)
			if err != nil {
				b.Fatal(err)
			}
			v := vars()
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := p.Eval(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := expression.Compile("'region' in target.labels ? target.labels['region'] : 'none'"); err != nil {
			b.Fatal(err)
		}
	}
}
