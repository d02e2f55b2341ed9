package starlark

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestTextBounds goes through what is done with texts, method by method.
func TestTextBounds(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	const million = "x = \"a\" * 1000000\n"
	checkBounds(t, map[string]bound{
		"join with nothing":      {"one text many times, with nothing between", million + "y = [x] * 4000\nz = \"\".join(y)", tooMuchWork},
		"join, less of it":       {"a quarter of that passed and took 2.7 GB", million + "y = [x] * 1000\nz = \"\".join(y)", tooMuchWork},
		"join characters":        {"what does not know its length", million + "c = (x * 20).codepoints()\nz = x.join(c)", tooMuchWork},
		"replace nothing":        {"a text between any two characters", million + "z = x.replace(\"\", x)", tooMuchWork},
		"replace in nothing":     {"or in an empty one", million + "l = []\nwhile True:\n  l.append(\"\".replace(\"\", x))", tooMuchWork},
		"format":                 {"a long name in every field", million + "z = (\"{}\" * 1000).format(*[x] * 1000)", tooMuchWork},
		"format a function":      {"a function is written by its name", "def " + longName + "():\n  pass\nz = (\"{0}\" * 10000).format(" + longName + ")", tooMuchWork},
		"format all":             {"a package is written whole", "l = []\nx = ctx.resource_list\nx[\"items\"].append(\"a\" * 1000000)\nwhile True:\n  l.append(str(ctx))", tooMuchWork},
		"format by name":         {"names that are looked for again and again", "d = {str(i): i for i in range(30000)}\nz = (\"{29999}{x}\" * 1).format\nf = \"{a}\" * 30000\nd[\"a\"] = \"\"\ny = f.format(**d)", tooMuchWork},
		"split":                  {"a list of nothing but ends", "x = \",\" * 50000000\ny = x.split(\",\")", tooMuchWork},
		"split words":            {"or of short words", "x = \"a \" * 20000000\ny = x.split()", tooMuchWork},
		"split with room":        {"a limit far above the number of parts", "x = \"a\".rsplit(None, 1 << 36)", tooMuchWork},
		"splitlines":             {"or of empty lines", "x = \"\\n\" * 50000000\ny = x.splitlines()", tooMuchWork},
		"partition":              {"a look that goes over all", million + "while True:\n  y = x.partition(\"b\")", tooMuchWork},
		"codepoints":             {"a list of characters", "x = \"a\" * 60000000\ny = list(x.codepoints())", tooMuchWork},
		"codepoints again":       {"from the same iterable", million + "c = x.codepoints()\nl = []\nwhile True:\n  l.append(list(c))", tooMuchWork},
		"elems":                  {"a tuple of them", million + "c = x.elems()\nl = []\nwhile True:\n  l.append(tuple(c))", tooMuchWork},
		"elem_ords":              {"as numbers", million + "c = x.elem_ords()\nl = []\nwhile True:\n  l.extend(c)", tooMuchWork},
		"codepoint_ords":         {"in order", million + "c = x.codepoint_ords()\nwhile True:\n  y = sorted(c)", tooMuchWork},
		"count of codepoints":    {"counted, to do nothing with them", million + "c = x.codepoints()\nwhile True:\n  y = zip([], c)", tooMuchWork},
		"upper":                  {"a text that gets longer", "l = []\nx = \"\\u0250\" * 1000000\nwhile True:\n  l.append(x.upper())", tooMuchWork},
		"title":                  {"and longer", "l = []\nx = \"\\u0250\" * 1000000\nwhile True:\n  l.append(x.title())", tooMuchWork},
		"lower":                  {"or only another one", million + "l = []\nwhile True:\n  l.append(x.lower())", tooMuchWork},
		"capitalize":             {"or with one letter changed", million + "l = []\nwhile True:\n  l.append(x.capitalize())", tooMuchWork},
		"isupper":                {"a question that makes another text", million + "while True:\n  y = x.isupper()", tooMuchWork},
		"isalpha":                {"or goes over all of it", million + "while True:\n  y = x.isalpha()", tooMuchWork},
		"istitle":                {"likewise", million + "while True:\n  y = x.istitle()", tooMuchWork},
		"count":                  {"how often", million + "while True:\n  y = x.count(\"ab\")", tooMuchWork},
		"find":                   {"where", million + "while True:\n  y = x.find(\"ab\")", tooMuchWork},
		"rfind":                  {"from behind", million + "while True:\n  y = x.rfind(\"ba\")", tooMuchWork},
		"in":                     {"whether", million + "while True:\n  y = \"ab\" in x", tooMuchWork},
		"strip":                  {"characters that are compared with many", "x = \"\\u00e9\" * 1000000\ny = x.strip(\"\\u00e8\" * 1000000 + \"\\u00e9\")", tooMuchWork},
		"rstrip":                 {"from behind", "x = \"\\u00e9\" * 1000000\ny = x.rstrip(\"\\u00e8\" * 1000000 + \"\\u00e9\")", tooMuchWork},
		"startswith":             {"many beginnings", million + "t = tuple([\"a\" * 999999 + \"b\"] * 100)\nwhile True:\n  y = x.startswith(t)", tooMuchWork},
		"endswith":               {"or ends", million + "t = tuple([\"b\" + \"a\" * 999999] * 100)\nwhile True:\n  y = x.endswith(t)", tooMuchWork},
		"removeprefix":           {"a beginning that is compared", million + "p = x + \"b\"\nq = x * 2\nwhile True:\n  y = q.removeprefix(p)", tooMuchWork},
		"percent":                {"a long text in every place", million + "z = (\"%s\" * 1000) % tuple([x] * 1000)", tooMuchWork},
		"percent of a float":     {"a number that is written out", "z = (\"%f\" * 1000000) % tuple([1e308] * 1000000)", tooMuchWork},
		"percent of a map":       {"a map that is gone over for one place", "d = {i: i for i in range(100000)}\nd[\"a\"] = 1\nwhile True:\n  y = \"%(a)s\" % d", tooMuchWork},
		"percent of a large map": {"or written whole", "d = {i: i for i in range(100000)}\nl = []\nwhile True:\n  l.append(\"%s\" % d)", tooMuchWork},
		"printed between":        {"a long separator", million + "print(sep=x, *range(100000))", tooMuchWork},
		"failed between":         {"in an error", million + "fail(sep=x, *range(100000))", tooMuchWork},
		"quoted":                 {"a text that grows in quotes", "x = \"\\x00\" * 10000000\nl = []\nwhile True:\n  l.append(repr(x))", tooMuchWork},
		"bytes":                  {"bytes of a text", million + "l = []\nwhile True:\n  l.append(bytes(x))", tooMuchWork},
		"bytes of numbers":       {"or of numbers", "x = [1] * 1000000\nl = []\nwhile True:\n  l.append(bytes(x))", tooMuchWork},
		"elems of bytes":         {"and back", "x = bytes(\"a\" * 10000000).elems()\nl = []\nwhile True:\n  l.append(list(x))", tooMuchWork},
		"hash":                   {"a hash of a long text", million + "while True:\n  y = hash(x)", tooMuchWork},
		"float":                  {"a text that is nearly a number", "x = \"1\" * 1000000\nwhile True:\n  y = int(x)", tooMuchWork},
		"digits":                 {"a number of many digits", "x = int(\"9\" * 10000000)", tooMuchWork},
		"slices with steps":      {"every other character", million + "l = []\nwhile True:\n  l.append(x[::2])", tooMuchWork},
		"compared":               {"two long texts that are the same", million + "y = x + \"\"\nz = \"\" + x\nwhile True:\n  w = (y + \"b\") == (z + \"b\")", tooMuchWork},
		"twice in place":         {"a text that is extended", "s = \"a\"\ndef f():\n  return s\nwhile True:\n  s += f()", tooMuchWork},
	})
}

// longName is that of a function.
var longName = func() string {
	name := make([]byte, 50_000)
	for i := range name {
		name[i] = 'f'
	}
	return string(name)
}()
