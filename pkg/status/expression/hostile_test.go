package expression_test

import (
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/status/expression"
)

// numbers is the text of a list of n numbers.
func numbers(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }

const tooCostly = "the expression costs too much"

// hostile expressions want much for little. Each must be refused or, where it turns out cheap, give
// its result; in no case may it take long.
var hostile = map[string]struct{ reason, text, want string }{
	"too long":          {"the text itself is bounded", "'" + strings.Repeat("x", 10240) + "'", "expression code point size exceeds limit"},
	"too deep":          {"so is its depth", strings.Repeat("(", 2000) + "'x'" + strings.Repeat(")", 2000), "recursion"},
	"deep lists":        {"lists nest, too", strings.Repeat("[", 1000) + strings.Repeat("]", 1000), "recursion"},
	"long chain":        {"a chain of additions nests", "'x'" + strings.Repeat("+'x'", 2000), "recursion"},
	"unfinished":        {"the parser gives up", strings.Repeat("(", 5000), "recursion"},
	"long faults":       {"what is wrong is not told at any length", strings.Repeat("a+", 100) + "a", "..."},
	"nested loops":      {"the product of two long lists", numbers(500) + ".all(x, " + numbers(500) + ".all(y, x == y))", tooCostly},
	"nested keys":       {"three loops over what is reported", "returned.status.all(a, returned.status.all(b, returned.status.all(c, a == b || b == c || true)))", tooCostly},
	"begun loops":       {"loops that only begin take their keys in order each time", "returned.status.list.all(a, returned.status.exists(b, true) && returned.status.exists(b, true))", tooCostly},
	"absorbed":          {"errors that are made up for go on", "returned.status.list.all(a, returned.status.list.all(b, returned.status.list.all(c, c.x) || true) || true)", tooCostly},
	"loop over a text":  {"long texts", "returned.status.list.map(x, returned.status.long + 'a').size() > 0", tooCostly},
	"doubled text":      {"each step makes the text twice as long", "['xxxxxxxxxxxxxxxx']" + strings.Repeat(".map(x, x+x)", 25) + "[0]", "makes a text of more than 65536 bytes"},
	"doubled list":      {"lists double without being copied", "[[1]]" + strings.Repeat(".map(x, x+x)", 35) + "[0].all(x, x == 1)", "makes a list of more than 10000 parts"},
	"doubled too often": {"the library counts into an overflow", "[[1]]" + strings.Repeat(".map(x, x+x)", 70) + "[0].size() > 0", "makes a list of more than 10000 parts"},
	"long list":         {"a list may have so many parts", "returned.status.list.map(x, 1).map(x, 1)" + strings.Repeat(" + returned.status.list", 10), "makes a list of more than 10000 parts"},
	"shared parts":      {"each step has the step before twice; comparing walks through all of it", "[[dyn(1)]]" + strings.Repeat(".map(x, dyn([x,x]))", 30) + ".all(x, x == x)", tooCostly},
	"shared, not equal": {"likewise", "[[dyn(1)]]" + strings.Repeat(".map(x, dyn([x,x]))", 30) + ".all(x, x != x)", tooCostly},
	"shared, looked up": {"likewise when an element is looked for", "[[dyn(1)]]" + strings.Repeat(".map(x, dyn([x,x]))", 30) + ".all(x, x in [x])", tooCostly},
	"shared, quoted":    {"the error for a missing key quotes the key", "obj[[[dyn(1)]]" + strings.Repeat(".map(x, dyn([x,x]))", 30) + "[0]]", tooCostly},
	"shared, added":     {"lists made of lists, added", "[[dyn([1])]]" + strings.Repeat(".map(x, [x,x] + [x])", 30) + "[0]", tooCostly},
	"shared in maps":    {"maps share, too", "[dyn({1: 1})]" + strings.Repeat(".map(x, dyn({1: x, 2: x}))", 30) + ".size() > 0", tooCostly},
	"compared often":    {"a large status, compared again and again", "returned.status.list.all(x, returned == returned)", tooCostly},
	"many repetitions":  {"many small products are one large pattern", "inventory.name.matches('" + strings.Repeat("(a{1000}|)", 90) + "')", "more than 5000 states"},
	"long pattern":      {"patterns may come from clusters", "inventory.name.matches(returned.status.long)", "at most 1024 are allowed"},
	"long text":         {"a large pattern on a long text", "returned.status.long.matches('(x{1,70}){1,14}y')", tooCostly},
	"patterns in loops": {"each costs what it costs", "returned.status.list.all(a, !inventory.name.matches('(x{1,70}){1,14}y' + string(a)))", tooCostly},
	"texts in loops":    {"looking at a long text again and again", "returned.status.list.all(x, size(returned.status.long) > 0)", tooCostly},
	"texts in parts":    {"or from another variable", "[returned.status.long].map(s, " + numbers(70) + ".all(x, size(s) > 0))[0]", tooCostly},
	"zones":             {"time zones are looked for in files", "returned.status.list.all(x, timestamp('2026-07-01T00:00:00Z').getHours('Europe/Paris') > 0)", tooCostly},
	"long bodies":       {"a long list is made again and again", numbers(200) + ".all(x, [x, " + numbers(2000)[1:] + ".size() > 0)", tooCostly},
	"short loops":       {"what is cheap passes", numbers(1000) + ".all(x, x > 0)", ""},
	"one comparison":    {"so does what is large once", "returned == returned", ""},
}

func hostileVars() *expression.Vars {
	status := map[string]any{"long": strings.Repeat("x", 60_000)}
	list := make([]any, 1000)
	for i := range list {
		list[i] = int64(i)
		status[strings.Repeat("k", i%7)+string(rune('a'+i%26))+strings.Repeat("x", i)] = true
	}
	status["list"] = list
	v := expression.NewVars(map[string]any{})
	v.Set("edge1", status, nil, time.Time{})
	return v
}

func TestHostile(t *testing.T) {
	vars := hostileVars()
	for name, tc := range hostile {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got := run(tc.text, vars)
			if took := time.Since(start); took > 10*time.Second { // without bounds these take minutes to years
				t.Errorf("%s: took %v", tc.reason, took)
			}
			if failed := strings.HasPrefix(got, "error: "); failed != (tc.want != "") || !strings.Contains(got, tc.want) {
				t.Errorf("%s: got %.300q, want an error with %q", tc.reason, got, tc.want)
			}
			if len(got) > 9<<10 {
				t.Errorf("%s: an error of %d bytes", tc.reason, len(got))
			}
		})
	}
}
