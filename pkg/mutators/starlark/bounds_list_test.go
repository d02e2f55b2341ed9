package starlark

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestListBounds goes through what is done with lists, numbers and functions.
func TestListBounds(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	const list, again = "x = list(range(100000))\nl = []\n", "while True:\n  "
	const number = "x = 10\nfor i in range(14):\n  x *= x\nl = []\n"
	checkBounds(t, map[string]bound{
		"list":              {"copies of a list", list + again + "l.append(list(x))", tooMuchWork},
		"tuple":             {"tuples of it", list + again + "l.append(tuple(x))", tooMuchWork},
		"reversed":          {"the other way round", list + again + "l.append(reversed(x))", tooMuchWork},
		"enumerate":         {"with numbers", list + again + "l.append(enumerate(x))", tooMuchWork},
		"zip":               {"row by row", list + again + "l.append(zip(x))", tooMuchWork},
		"zip of many":       {"rows of many", list + again + "l.append(zip(*[x] * 10))", tooMuchWork},
		"zip of codepoints": {"of what does not know its length", "x = (\"a\" * 100000).codepoints()\nl = []\n" + again + "l.append(zip(x, x))", tooMuchWork},
		"plus":              {"two in one", list + again + "l.append(x + x)", tooMuchWork},
		"slice":             {"a part", list + again + "l.append(x[1:])", tooMuchWork},
		"slice with steps":  {"every other element", list + again + "l.append(x[::-2])", tooMuchWork},
		"repeated":          {"many times", list + again + "l.append(x * 3)", tooMuchWork},
		"extend":            {"by a method", list + again + "l.extend(x)", tooMuchWork},
		"extend in place":   {"by an operator", list + again + "l += x", tooMuchWork},
		"extend by text":    {"by characters", "c = (\"a\" * 1000000).codepoints()\nl = []\n" + again + "l += c", tooMuchWork},
		"insert":            {"in front", list + again + "x.insert(0, 1)", tooMuchWork},
		"index":             {"looked for", list + again + "y = x.index(99999)", tooMuchWork},
		"remove":            {"and taken out", list + again + "x.append(99999)\n  x.remove(99999)", tooMuchWork},
		"any":               {"whether any is true", "x = [0] * 1000000\n" + again + "y = any(x)", tooMuchWork},
		"all":               {"or all are", "x = [1] * 1000000\n" + again + "y = all(x)", tooMuchWork},
		"min":               {"the least", list + again + "y = min(x)", tooMuchWork},
		"max":               {"the greatest", list + again + "y = max(x)", tooMuchWork},
		"max of arguments":  {"of arguments", list + again + "y = max(*x)", tooMuchWork},
		"sorted again":      {"in order", list + again + "l.append(sorted(x))", tooMuchWork},
		"ordered":           {"lists that are compared", "x = [0] * 1000000\ny = [0] * 1000000\n" + again + "z = x < y", tooMuchWork},
		"structs":           {"the package that is compared with itself", "x = ctx.resource_list[\"items\"]\nfor i in range(1000):\n  x.append([0] * 1000)\n" + again + "z = ctx == ctx", tooMuchWork},
		"lists":             {"lists that are written down", "l = []\n" + again + "l.append([" + strings.Repeat("[],", 1000) + "])", tooMuchWork},
		"tuples":            {"tuples", "l = []\n" + again + "l.append((" + strings.Repeat("(),", 1000) + "))", tooMuchWork},
		"functions":         {"functions", "l = []\n" + again + "l.append([" + strings.Repeat("lambda: 1,", 900) + "])", tooMuchWork},
		"names":             {"names of methods", "l = []\n" + again + "l.append(dir(\"\"))", tooMuchWork},
		"long names":        {"a name that is looked for", "x = \"a\" * 1000000\n" + again + "y = hasattr(\"\", x)", tooMuchWork},
		"long name got":     {"or got, or not", "x = \"a\" * 1000000\n" + again + "y = getattr(\"\", x, 1)", tooMuchWork},
		"methods":           {"methods", "l = []\n" + again + "l.append([" + strings.Repeat("l.append,", 1000) + "])", tooMuchWork},
		"arguments again":   {"arguments that are copied", list + "def f(*a):\n  pass\n" + again + "f(*x)", tooMuchWork},
		"arguments by text": {"characters as arguments", "c = (\"a\" * 10000).codepoints()\ndef f(*a):\n  pass\n" + again + "f(*c)", tooMuchWork},
		"named arguments":   {"with names", "d = {str(i): i for i in range(10000)}\ndef f(**a):\n  pass\n" + again + "f(**d)", tooMuchWork},
		"large lambda":      {"a function that needs much room", again + "(lambda: False and [" + strings.Repeat("0,", 60000) + "])()", tooMuchWork},
		"negative":          {"a large number below zero", number + again + "l.append(-x)", tooMuchWork},
		"inverted":          {"or inverted", number + again + "l.append(~x)", tooMuchWork},
		"absolute":          {"or not", number + "x = 0 - x\n" + again + "l.append(abs(x))", tooMuchWork},
		"added":             {"and one more", number + again + "l.append(x + 1)", tooMuchWork},
		"divided":           {"divided", number + again + "l.append(x // 3)", tooMuchWork},
		"remainder":         {"what is left", number + again + "l.append(x % (x - 1))", tooMuchWork},
		"bits":              {"its bits", number + again + "l.append(x | 1)", tooMuchWork},
		"shifted":           {"more of them", number + again + "x = x << 511", tooMuchWork},
		"compared":          {"compared with a float", number + again + "y = x < 1.5", tooMuchWork},
		"as text":           {"as text", number + again + "l.append(str(x))", tooMuchWork},
		"in text":           {"in a text", number + again + "l.append(\"%d\" % x)", tooMuchWork},
		"from text":         {"from text", "x = \"f\" * 100000\nl = []\n" + again + "l.append(int(x, 16))", tooMuchWork},
		"multiplied":        {"by itself", number + again + "y = x * x", tooMuchWork},
		"unpacked":          {"more elements than names", "a, b = range(1 << 62)", "too many values to unpack (got 4611686018427387904, want 2)"},
		"no steps":          {"steps that the library takes for none", "x = range(0, 4, 1 << 62)[::4]", "the interpreter gave up: rangeLen: zero step"},
		"negative length":   {"a sequence shorter than none", "x = zip(range(-(1 << 63), (1 << 63) - 1))", ""},
	})
}

func TestLimitsOfScripts(t *testing.T) {
	var functions, parameters strings.Builder
	for i := range mostFunctions + 1 {
		fmt.Fprintf(&functions, "def f%d(): pass\n", i)
	}
	for i := range mostParameters + 1 {
		fmt.Fprintf(&parameters, "a%d, ", i)
	}
	cases := map[string]bound{
		"functions":  {"each call looks at all that wait for it", functions.String(), "s:1001:1: a script has at most 1000 functions"},
		"room":       {"each call of a large one makes room", "def f():\n  if False:\n    y = [" + strings.Repeat("0,", 60000) + "]\nwhile True:\n  f()", "s:1:1: " + tooMuchWork},
		"recursion":  {"a call waits with all its room", largeRecursion(), "s:1:1: " + tooMuchWork},
		"tree":       {"calls that each make two", "def f(n):\n  return [f(n - 1), f(n - 1)] if n else []\nf(40)", "s:2:22: " + tooManySteps},
		"parameters": {"each argument is compared with all names", "def f(" + parameters.String() + "):\n  pass", "s:1:1: a function has at most 255 parameters"},
		"lambda":     {"of functions without a name, too", "f = lambda " + strings.TrimSuffix(parameters.String(), ", ") + ": 1", "s:1:5: a function has at most 255 parameters"},
	}
	for name, c := range cases {
		if got := runScript(t, c.script); got != c.want {
			t.Errorf("%s: %s: got %q, want %q", name, c.reason, got, c.want)
		}
	}
}

// largeRecursion is a function of sixty thousand parts that calls itself.
func largeRecursion() string {
	return "def f(n):\n  if n == 0:\n    x = [" + strings.Repeat("0,", 60000) + "]\n  return f(n + 1)\nf(1)"
}
