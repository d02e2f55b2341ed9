package starlark

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const (
	tooMuchWork  = "the script does too much: its operations take or make more than 256 MB, all together"
	tooManySteps = "Starlark computation cancelled: too many steps"
)

// bound is a script that would take all memory, or hours, in its last line.
type bound struct{ reason, script, want string }

// checkBounds wants every script to be stopped in its last line, before it has made much. It gives them a
// part of the work that they may do, so that the test does not take minutes. The time limit of the test
// would show a script that is not stopped.
func checkBounds(t *testing.T, cases map[string]bound) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			place, message, _ := strings.Cut(runWith(t, c.script, testWork), ": ")
			runtime.ReadMemStats(&after)
			if d := cmp.Diff(c.want, message); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			last := fmt.Sprint("s:", 1+strings.Count(c.script, "\n"), ":")
			if c.want == tooMuchWork && !strings.HasPrefix(place, last) {
				t.Errorf("%s: stopped at %s, want %s", c.reason, place, last)
			}
			if made := after.TotalAlloc - before.TotalAlloc; made > mostMade {
				t.Errorf("%s: made %d MB, garbage included", c.reason, made>>20)
			}
		})
	}
}

const (
	testWork = mostWork / 4
	mostMade = 6 * testWork // what is paid for, as much again to find the prices, and what the steps make
)

// TestBounds runs scripts of which a single step would be too much, and some of many steps.
func TestBounds(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	checkBounds(t, map[string]bound{
		"list of range":    {"a list as long as a number is large", "list(range(1 << 40))", tooMuchWork},
		"greatest":         {"a builtin that goes over all", "max(range(1 << 50))", tooMuchWork},
		"sorted":           {"one that sorts", "sorted(range(10000000))", tooMuchWork},
		"repeated list":    {"a list many times", "[0] * (1 << 29)", tooMuchWork},
		"repeated text":    {"a text many times, by turns", "x = [\"a\" * (1 << 27) for i in range(9)]", tooMuchWork},
		"repeated in turn": {"the number first", "x = (1 << 29) * \"a\"", tooMuchWork},
		"doubled":          {"a text that doubles", "s = \"a\"\nwhile True:\n  s += s", tooMuchWork},
		"doubled list":     {"a list that doubles", "s = [1]\nwhile True:\n  s += s", tooMuchWork},
		"extended":         {"by a method", "s = [1]\nwhile True:\n  s.extend(s)", tooMuchWork},
		"method by name":   {"by a method that is got by its name", "s = [1]\nf = getattr(s, \"extend\")\nwhile True:\n  f(s)", tooMuchWork},
		"arguments":        {"arguments without end", "def f(*a):\n  pass\nf(*range(1 << 40))", tooMuchWork},
		"slices":           {"parts of a long list", "x = list(range(1000000))\nfor i in range(1000000):\n  y = x[1:]", tooMuchWork},
		"replaced":         {"a text that grows where it is replaced", "s = \"a\" * 100000\ns.replace(\"a\", s)", tooMuchWork},
		"joined":           {"a long text between short ones", "s = \"a\" * 100000\ns.join([\"\"] * 100000)", tooMuchWork},
		"formatted":        {"a text that is put in often", "s = \"a\" * 1000000\n(\"{0}\" * 1000).format(s)", tooMuchWork},
		"percent":          {"by its name", "s = \"a\" * 1000000\n(\"%(a)s\" * 1000) % {\"a\": s}", tooMuchWork},
		"shared":           {"a small value that is large as text", "x = [1]\nfor i in range(60):\n  x = [x, x]\nstr(x)", tooMuchWork},
		"printed":          {"or that is printed", "x = [1]\nfor i in range(60):\n  x = [x, x]\nprint(x)", tooMuchWork},
		"compared":         {"or compared", "x = [1] * 1000\ny = [1] * 1000\nfor i in range(4):\n  x = [x] * 1000\n  y = [y] * 1000\nx == y", tooMuchWork},
		"looked for":       {"a list that is looked through again and again", "x = list(range(100000))\nwhile True:\n  y = -1 in x", tooMuchWork},
		"large number":     {"a number that is squared", "x = 10\nwhile True:\n  x *= x", tooMuchWork},
		"text of a number": {"a number of a long text", "int(\"9\" * 300000000)", tooMuchWork},
		"taken from front": {"elements that move all others", "x = list(range(200000))\nwhile x:\n  x.pop(0)", tooMuchWork},
		"key":              {"a key that holds others many times", "x = ()\nfor i in range(35):\n  x = (x, x)\nz = {x: 1}", tooMuchWork},
		"looked up":        {"or is only looked up", "x = ()\nfor i in range(35):\n  x = (x, x)\nz = {}\nif False:\n  z[1] = 2\ny = z[x]", tooMuchWork},
		"set by key":       {"or is assigned to", "x = ()\nfor i in range(35):\n  x = (x, x)\nz = {}\nz[x] = 1", tooMuchWork},
		"made of keys":     {"in a comprehension", "x = ()\nfor i in range(35):\n  x = (x, x)\nz = {x: y for y in [1]}", tooMuchWork},
		"member":           {"of a set", "x = ()\nfor i in range(35):\n  x = (x, x)\nz = set([x])", tooMuchWork},
		"steps":            {"many small steps", "for i in range(1 << 62):\n  pass", tooManySteps},
		"comprehension":    {"in a comprehension", "x = [0 for i in range(1 << 62)]", tooManySteps},
	})
}

// TestNesting reads scripts whose parts stand in each other as deeply as their length allows.
func TestNesting(t *testing.T) {
	const deep = longest/2 - 10
	for name, script := range map[string]string{
		"parentheses": "x = " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep),
		"lists":       "x = " + strings.Repeat("[", deep) + strings.Repeat("]", deep),
		"signs":       "x = " + strings.Repeat("-", 2*deep) + "1",
		"sums":        "x = 1" + strings.Repeat("+1", deep-5),
		"methods":     "x = 1" + strings.Repeat(".a", deep-5),
	} {
		t.Run(name, func(t *testing.T) {
			if got := runScript(t, script); strings.Contains(got, "please report") {
				t.Error(got)
			}
		})
	}
	if got := runScript(t, strings.Repeat("#", longest+1)); !strings.Contains(got, "may not be more than 131072") {
		t.Errorf("longer ones are refused: %s", got)
	}
}

// runScript runs script, which is called s, over one object and returns what the first error says.
func runScript(t *testing.T, script string) string {
	t.Helper()
	return runWith(t, script, mostWork)
}

func runWith(t *testing.T, script string, work int) string {
	t.Helper()
	f := &fn.Function{Name: functionName, Run: func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
		return runWithin(ctx, in, work)
	}}
	for _, r := range f.Apply(t.Context(), input(t, script, "kind: A\n")).Results {
		return r.Message
	}
	return ""
}

// input is objects and a script that is called s.
func input(t *testing.T, script, objects string) *fn.Input {
	t.Helper()
	items, err := krm.Read("in.yaml", []byte(objects), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	config := krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode("fn.waybill.dev/v1alpha1"), krm.StringNode("kind"), krm.StringNode(configKind),
		krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode("s")),
		krm.StringNode("source"), krm.StringNode(script)))
	return &fn.Input{Items: items, Config: config}
}
