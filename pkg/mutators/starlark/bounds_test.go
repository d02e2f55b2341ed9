package starlark

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const (
	tooMuchWork  = "the script does too much: its operations take or make more than 256 MB, all together"
	tooManySteps = "Starlark computation cancelled: too many steps"
)

// TestBounds runs scripts that would take all memory or all time, some of them in a single step. The
// time limit of the test would show those that are not stopped.
func TestBounds(t *testing.T) {
	cases := map[string]struct{ reason, script, want string }{
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
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, message, _ := strings.Cut(runScript(t, c.script), ": ")
			if d := cmp.Diff(c.want, message); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
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

// runScript runs script over one object and returns what the first error says.
func runScript(t *testing.T, script string) string {
	t.Helper()
	objects, err := krm.Read("in.yaml", []byte("kind: A\n"), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	config := krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode("fn.waybill.dev/v1alpha1"), krm.StringNode("kind"), krm.StringNode(configKind),
		krm.StringNode("source"), krm.StringNode(script)))
	for _, r := range Function.Apply(t.Context(), &fn.Input{Items: objects, Config: config}).Results {
		return r.Message
	}
	return ""
}
