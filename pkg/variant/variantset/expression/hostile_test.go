package expression_test

import (
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/variant/variantset/expression"
)

// numbers is the text of a list of n numbers.
func numbers(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }

// hostile expressions want much for little. Each must be refused or, where it turns out cheap, give
// its result; in no case may it take long.
var hostile = map[string]struct{ reason, text, want string }{
	"too long":          {"the text itself is bounded", "'" + strings.Repeat("x", expression.MaxLength) + "'", "expression code point size exceeds limit"},
	"too deep":          {"so is its depth", strings.Repeat("(", 2000) + "'x'" + strings.Repeat(")", 2000), "recursion"},
	"deep lists":        {"lists nest, too", strings.Repeat("[", 1000) + strings.Repeat("]", 1000), "recursion"},
	"deep choices":      {"and choices", strings.Repeat("true?", 1000) + "'x'" + strings.Repeat(":'y'", 1000), "limit exceeded"},
	"unfinished":        {"the parser gives up", strings.Repeat("(", 5000), "recursion"},
	"signs":             {"operators in a row", strings.Repeat("!", 5000) + "true ? 'a' : 'b'", ""},
	"long chain":        {"a chain of additions nests", "'x'" + strings.Repeat("+'x'", 2000), "recursion"},
	"short chain":       {"but not every one is refused", "'x'" + strings.Repeat("+'x'", 200), ""},
	"nested loops":      {"the product of two long lists", numbers(1000) + ".all(x, " + numbers(1000) + ".all(y, x == y)) ? 'a' : 'b'", "may cost up to"},
	"nested labels":     {"three loops over what the text does not tell", "target.labels.all(a, target.labels.all(b, target.labels.all(c, a == b && b == c))) ? 'a' : 'b'", "may cost up to"},
	"loop over a text":  {"dynamic text", "target.labels.map(x, target.annotations.long + x).size() > 0 ? 'a' : 'b'", "costs more than"},
	"doubled text":      {"each step makes the text twice as long", "['xxxxxxxxxxxxxxxx']" + strings.Repeat(".map(x, x+x)", 25) + "[0]", "makes a text of more than 65536 bytes"},
	"doubled label":     {"likewise when the estimate is in the dark", "[target.name]" + strings.Repeat(".map(x, [x][0]+[x][0])", 25) + "[0]", "makes a text of more than 65536 bytes"},
	"doubled list":      {"lists double without being copied", "[[1]]" + strings.Repeat(".map(x, x+x)", 35) + "[0].all(x, x == 1) ? 'a' : 'b'", "makes a list of more than 10000 parts"},
	"doubled too often": {"the library counts into an overflow", "[[1]]" + strings.Repeat(".map(x, x+x)", 70) + "[0].size() > 0 ? 'a' : 'b'", "makes a list of more than 10000 parts"},
	"shared parts":      {"each step has the step before twice; comparing walks through all of it", "[[1]]" + strings.Repeat(".map(x, [x,x])", 12) + ".all(x, x == x) ? 'a' : 'b'", "compares more than 10000 parts"},
	"shared, hidden":    {"likewise when types do not tell", "[[dyn(1)]]" + strings.Repeat(".map(x, dyn([x,x]))", 30) + ".all(x, x != x) ? 'a' : 'b'", "compares more than 10000 parts"},
	"shared, looked up": {"likewise when an element is looked for", "[[dyn(1)]]" + strings.Repeat(".map(x, dyn([x,x]))", 30) + ".all(x, x in [x]) ? 'a' : 'b'", "compares more than 10000 parts"},
	"repetition":        {"the library refuses such a product", "target.name.matches('((a{100}){100}){100}') ? 'a' : 'b'", "invalid repeat count"},
	"many repetitions":  {"many small products are one large pattern", "target.name.matches('" + strings.Repeat("(a{1000}|)", 90) + "') ? 'a' : 'b'", "more than 5000 states"},
	"long pattern":      {"patterns may come from objects", "target.name.matches(target.annotations.long) ? 'a' : 'b'", "at most 1024 are allowed"},
	"long text":         {"a large pattern on a long text", "target.annotations.long.matches('(x{1,70}){1,14}y') ? 'a' : 'b'", "costs more than"},
	"patterns in loops": {"each costs what it costs", "target.labels.all(a, target.labels.all(b, a.matches('(x{1,70}){1,14}y' + b))) ? 'a' : 'b'", "may cost up to"},
	"texts in loops":    {"looking at a long text again and again", "[target.annotations.long].map(s, " + numbers(70) + ".all(x, " + numbers(70) + ".all(y, s < 'zz' && size(s) > 0)))[0] ? 'a' : 'b'", "costs more than"},
	"lists in loops":    {"a long list is made again and again", numbers(200) + ".all(x, [" + numbers(3000) + "].size() == 1) ? 'a' : 'b'", ""},
}

func hostileVars() *expression.Vars {
	labels := map[string]string{}
	for i := range 100 {
		labels[strings.Repeat("x", 3*i+1)] = "v"
	}
	return &expression.Vars{
		RepoDefault: "r", PackageDefault: "p",
		Target: expression.Of(expression.Object{Name: strings.Repeat("n", 253), Labels: labels, Annotations: map[string]string{"long": strings.Repeat("x", 60_000)}}),
	}
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
		})
	}
}

// run is an expression's result, or its error.
func run(text string, vars *expression.Vars) string {
	p, err := expression.Compile(text)
	if err != nil {
		return "error: " + err.Error()
	}
	result, _, err := p.Eval(vars)
	if err != nil {
		return "error: " + err.Error()
	}
	return result
}
