package starlark

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

const crowded = "too many keys of a map or set have the same hash"

// TestTableBounds goes through what is done with maps and sets, and with their keys.
func TestTableBounds(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	const big = "x = ()\nfor i in range(35):\n  x = (x, x)\n"
	const set, half = "s = set(range(100000))\n", "h = set(range(50000))\n"
	checkBounds(t, map[string]bound{
		"maps":                 {"maps that are written down", "x = []\nwhile True:\n  x.append([{}, {}, {}, {}, {}, {}, {}, {}, {}, {}])", tooMuchWork},
		"maps made":            {"or made", "x = []\nwhile True:\n  x.append(dict())", tooMuchWork},
		"copies":               {"copies of a map", "d = {i: i for i in range(100000)}\nl = []\nwhile True:\n  l.append(dict(d))", tooMuchWork},
		"from pairs":           {"or from its pairs", "d = {i: i for i in range(100000)}.items()\nl = []\nwhile True:\n  l.append(dict(d))", tooMuchWork},
		"items":                {"its pairs", "d = {i: i for i in range(100000)}\nl = []\nwhile True:\n  l.append(d.items())", tooMuchWork},
		"values":               {"its values", "d = {i: i for i in range(100000)}\nl = []\nwhile True:\n  l.append(d.values())", tooMuchWork},
		"keys":                 {"its keys", "d = {i: i for i in range(100000)}\nl = []\nwhile True:\n  l.append(d.keys())", tooMuchWork},
		"union":                {"two in one", "d = {i: i for i in range(100000)}\nl = []\nwhile True:\n  l.append(d | {})", tooMuchWork},
		"union in place":       {"one that takes in another", "d = {i: i for i in range(100000)}\nwhile True:\n  e = {}\n  e |= d", tooMuchWork},
		"updated":              {"by a method", "d = {i: i for i in range(100000)}\nwhile True:\n  e = {}\n  e.update(d)", tooMuchWork},
		"compared maps":        {"maps that are compared", "d = {i: i for i in range(100000)}\ne = dict(d)\nwhile True:\n  y = d == e", tooMuchWork},
		"emptied":              {"a table that stays large when it is empty", "d = {i: i for i in range(100000)}\nl = d.keys()\nwhile True:\n  d.clear()\n  d.update([(1, 1)])", tooMuchWork},
		"sets":                 {"large sets", "x = []\nwhile True:\n  x.append(set(range(100000)))", tooMuchWork},
		"set union":            {"what is in either", set + "l = []\nwhile True:\n  l.append(s | s)", tooMuchWork},
		"set intersection":     {"in both", set + "l = []\nwhile True:\n  l.append(s & s)", tooMuchWork},
		"set difference":       {"in one alone", set + "l = []\nwhile True:\n  l.append(s - set())", tooMuchWork},
		"symmetric difference": {"in one of them alone", set + "l = []\nwhile True:\n  l.append(s ^ set())", tooMuchWork},
		"method union":         {"by methods", set + "l = []\nwhile True:\n  l.append(s.union([]))", tooMuchWork},
		"method difference":    {"likewise", set + "l = []\nwhile True:\n  l.append(s.difference([]))", tooMuchWork},
		"method symmetric":     {"likewise", set + "l = []\nwhile True:\n  l.append(s.symmetric_difference([]))", tooMuchWork},
		"method intersection":  {"likewise", set + "l = []\nwhile True:\n  l.append(s.intersection(s))", tooMuchWork},
		"subset":               {"a small set in a large one, which is gone over", set + "o = set([99999])\nwhile True:\n  y = o <= s", tooMuchWork},
		"proper subset":        {"likewise", set + "o = set([99999])\nwhile True:\n  y = o < s", tooMuchWork},
		"subset by method":     {"likewise", set + "o = set([99999])\nwhile True:\n  y = o.issubset(s)", tooMuchWork},
		"superset":             {"the other way round", set + half + "while True:\n  y = s >= h", tooMuchWork},
		"emptied set":          {"a set that was large takes long to compare", set + "while s:\n  s.pop()\nwhile True:\n  y = s.issubset([])", tooMuchWork},
		"sets in order":        {"the least of many sets, each compared with a large one", set + "x = [s] + [set([99999])] * 100000\ny = min(x)", tooMuchWork},
		"sets sorted":          {"all of them in order", set + "x = [s] + [set([99999])] * 100000\ny = sorted(x)", tooMuchWork},
		"sorted by sets":       {"by a function", set + "x = [99999] * 100000\ny = sorted(x, key=lambda i: s)", tooMuchWork},
		"sorted by lists":      {"or by long lists", "l = [0] * 100000\ny = sorted(range(100000), key=lambda i: l)", tooMuchWork},
		"sorted by position":   {"also when it has no name", "l = [0] * 100000\ny = sorted(range(100000), lambda i: l)", tooMuchWork},
		"greatest by lists":    {"the greatest of them", "l = [0] * 100000\ny = max(range(100000), key=lambda i: l)", tooMuchWork},
		"key in a map":         {"a key that holds others many times, in a map", big + "y = x in {}", tooMuchWork},
		"key in a set":         {"in a set", big + "y = x in set()", tooMuchWork},
		"key not in":           {"or not", big + "y = x not in {}", tooMuchWork},
		"key got":              {"got", big + "y = {}.get(x)", tooMuchWork},
		"key taken out":        {"taken out", big + "y = {}.pop(x, 1)", tooMuchWork},
		"key set":              {"set unless it is there", big + "y = {}.setdefault(x, 1)", tooMuchWork},
		"key added":            {"added to a set", big + "set().add(x)", tooMuchWork},
		"key discarded":        {"discarded", big + "set().discard(x)", tooMuchWork},
		"key removed":          {"removed", big + "set([1]).remove(x)", tooMuchWork},
		"key in place":         {"changed in place", big + "d = {}\nd[x] += 1", tooMuchWork},
		"key of a key":         {"on the way to another", big + "d = {}\nd[d[x]] = 1", tooMuchWork},
		"colliding numbers":    {"numbers that stand in one place", "d = {}\ni = 0\nwhile True:\n  i += 1\n  d[i << 32] = 1", crowded},
		"colliding small":      {"small ones", "d = {}\nfor i in range(65000):\n  d[i << 15] = 1\nwhile True:\n  y = d[0]", crowded},
		"colliding lambdas":    {"functions, which are known by their names", "d = {}\nwhile True:\n  d[lambda: 1] = 1", crowded},
		"colliding floats":     {"floats", "d = {}\ni = 0\nwhile True:\n  i += 1\n  d[float(i << 32)] = 1", crowded},
		"colliding tuples":     {"tuples of such numbers", "d = {}\ni = 0\nwhile True:\n  i += 1\n  d[(i << 32,)] = 1", crowded},
		"colliding in a set":   {"in a set", "s = set()\ni = 0\nwhile True:\n  i += 1\n  s.add(i << 32)", crowded},
		"colliding defaults":   {"set unless they are there", "d = {}\ni = 0\nwhile True:\n  i += 1\n  d.setdefault(i << 32)", crowded},
		"colliding at once":    {"all in one step", "x = [i << 32 for i in range(50000)]\ns = set(x)", crowded},
		"colliding pairs":      {"as pairs", "x = [(i << 32, 1) for i in range(50000)]\nd = dict(x)", crowded},
		"colliding update":     {"into a map", "x = [(i << 32, 1) for i in range(50000)]\nd = {}\nd.update(x)", crowded},
		"colliding set update": {"or a set", "x = [i << 32 for i in range(50000)]\nd = set()\nd.update(x)", crowded},
		"colliding keys":       {"in a comprehension", "x = {i << 32: 1 for i in range(50000)}", crowded},
		"colliding in place":   {"by an operator, bit by bit", "d = {}\nfor k in range(1000000):\n  d |= {(k * 500 + i) << 32: 1 for i in range(500)}", crowded},
		"colliding, written":   {"or written down", "x = {" + strings.Join(strings.Fields(collidingKeys(4000)), "") + "}", crowded},
	})
}

func collidingKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "0x%x00000000:0, ", i+1)
	}
	return b.String()
}
