package mutation_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestHostileRules runs hostile rules on hostile objects: each call ends soon and takes a bounded amount of memory.
func TestHostileRules(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	const patience, memory = slow * 5 * time.Second, slow * 512 << 20
	big := head + `"spec":{"s":"` + strings.Repeat("x", 1<<19) + `","list":[` + strings.Repeat(`{"name":"a","v":[1,2,3]},`, 10_000) + `1]}}`
	deep := head + `"spec":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`
	many := func(rule string) string { return "[" + strings.Repeat("{"+rule+"},", 99) + "{" + rule + "}]" }
	cases := map[string]struct {
		reason, rules, in string
		fails             bool
	}{
		"Delete":      {"a large object a hundred times", many(`delete: {path: spec.x}`), big, false},
		"DeleteEach":  {"from a long list", many(`delete: {path: spec.list.0}`), big, false},
		"Query":       {"through all of it", many(`delete: {path: 'spec.list.#(v.#(>3)).x'}`), big, false},
		"Regex":       {"a long text", many(`regex: {path: spec.s, pattern: '(x+x+)+y', replacement: z}`), big, true},
		"RegexGrow":   {"a text that doubles", many(`regex: {path: spec.a, pattern: '.', replacement: '$0$0'}`), head + `"spec":{"a":"x"}}`, true},
		"RegexObject": {"an object as text as text as text", many(`regex: {path: spec, pattern: '"', replacement: '""""'}`), head + `"spec":{"a":"x"}}`, true},
		"Template":    {"a large object is decoded again and again", many(`template: {path: spec.x, template: '{{ .Self.kind }}'}`), big, false},
		"Loops":       {"loops share an allowance", many(`template: {path: spec.x, template: '{{ range 20000 }}{{ end }}'}`), head + `"spec":{}}`, true},
		"Value":       {"a long value is read again and again", many(`template: {path: spec.s, template: '{{ range 9000 }}{{ $x := $.Value.Bool }}{{ $x = $.Value.Int }}{{ $x = $.Value.String }}{{ end }}'}`), big, true},
		"CEL":         {"an expression that doubles", many(`cel: {path: spec.x, expression: '[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, self))))'}`), big, true},
		"CELCopy":     {"an object in itself", many(`cel: {path: spec.x, expression: '[self, self]'}`), head + `"spec":{}}`, true},
		"Pad":         {"empty places", many(`cel: {path: spec.a.100.100.100.100.100.100.100.100, expression: '1'}`), head + `"spec":{}}`, false},
		"Append":      {"", many(`cel: {path: 'spec.list.-1', expression: 'self.metadata'}`), head + `"spec":{}}`, false},
		"Deep":        {"a deeply nested object", many(`delete: {path: spec.0.0.0.0.0.0}`), deep, false},
		"DeepData":    {"a deeply nested object cannot be decoded", `[{cel: {path: spec, expression: '1'}}]`, deep, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := compile(t, tc.rules, "")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			_, err := m.Spec(t.Context(), []byte(tc.in), []byte(other))
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			taken := after.TotalAlloc - before.TotalAlloc
			if tc.fails != (err != nil) || err != nil && len(err.Error()) > 500 {
				t.Errorf("%s: error %v", tc.reason, err)
			}
			if took > patience || taken > memory {
				t.Errorf("%s: it took %v and %d MiB", tc.reason, took, taken>>20)
			}
			t.Log(fmt.Sprint(took, " ", taken>>20, " MiB: ", err))
		})
	}
}
