package cel_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/cel"
)

func repeated(text string, n int) string { return strings.Repeat(text, n) }

// numbers is the text of a list of n numbers.
func numbers(n int) string { return "[" + strings.TrimSuffix(repeated("1,", n), ",") + "]" }

// demanding expressions are short enough and want much of a compiler. Those that are refused took
// seconds to hours, and gigabytes.
var demanding = map[string]struct {
	reason, text string
	refused      bool
}{
	"doubled":            {"each loop doubles the type of the one before", "[1]" + repeated(".map(a,{a:a})", 14), true},
	"doubled for long":   {"with no end", "[1]" + repeated(".map(a,{a:a})", 240), true},
	"doubled a little":   {"which is fine for some steps", "[1]" + repeated(".map(a,{a:a})", 7), false},
	"lists of lists":     {"a type that grows is written in full wherever it comes up", "[1]" + repeated(".map(a,[a])", 240), true},
	"some lists":         {"which is fine for some more", "[1]" + repeated(".map(a,[a])", 25), false},
	"maps of maps":       {"likewise", "[1]" + repeated(".map(a,{'k':a})", 120), true},
	"some maps":          {"likewise", "[1]" + repeated(".map(a,{'k':a})", 20), false},
	"filters":            {"a type for each loop", "[1]" + repeated(".filter(a,a>0)", 240), true},
	"some filters":       {"likewise", "[1]" + repeated(".filter(a,a>0)", 50), false},
	"nested loops":       {"loops within loops", repeated("[1].map(a,", 200) + "a" + repeated(")", 200), true},
	"nested exists":      {"whose types do not grow", repeated("any.exists(x,", 80) + "true" + repeated(")", 80), false},
	"deep lists":         {"a literal alone", repeated("[", 240) + "1" + repeated("]", 240), true},
	"nested lists":       {"likewise", repeated("[", 75) + "1" + repeated("]", 75), false},
	"deep maps":          {"likewise", repeated("{1:", 200) + "1" + repeated("}", 200), true},
	"types of types":     {"a type has the type as its part", repeated("type(", 200) + "1" + repeated(")", 200), true},
	"open lists":         {"what an empty list may hold is not known, and asked again for each", "[" + repeated("[],", 3000) + "[]]", true},
	"bound later":        {"and when it is known, it is known everywhere", "[1]" + repeated(".map(a,[{[]:a},{a:[]}])", 14), true},
	"bound elsewhere":    {"likewise", "[1]" + repeated(".map(a,[[]].map(x,{x:[x,[a]]}))", 14), true},
	"comparisons":        {"each has types of its own, and each is one more to remember", "true" + repeated("&&1==1", 1700), true},
	"some comparisons":   {"as many as people write are fine", "true" + repeated(" && names.phase == 'Running-as-intended'", 240), false},
	"look-ups":           {"likewise", "[" + repeated("any['a'],", 1100) + "1]", true},
	"long paths":         {"paths are looked at again for each step", "[" + repeated("any"+repeated(".a", 240)+",", 20) + "1]", true},
	"paths":              {"as long as people write is fine", "[" + repeated("any.spec.template.spec,", 400) + "1]", false},
	"optionals":          {"a type that is wrapped", "[1]" + repeated(".map(a,optional.of(a))", 200), true},
	"optional chain":     {"a macro that copies what it is called on would double it", "optional.of(1)" + repeated(".optMap(a,a)", 30), false},
	"optional fields":    {"these do not", "[" + repeated("?input.?a.?b,", 700) + "1]", false},
	"pairs":              {"loops with two variables", "[1]" + repeated(".transformMap(i,a,{i:a})", 120), true},
	"doubled pairs":      {"likewise", "[1]" + repeated(".transformList(i,a,{a:a})", 14), true},
	"a hook":             {"what people write is no trouble", `input.spec.ports.map(p, {"apiVersion": "monitoring.example.org/v1", "kind": "Probe", "metadata": {"name": input.metadata.name + "-" + p.name, "namespace": input.metadata.namespace, "labels": {}}, "spec": {"port": p.port, "args": [], "interval": any.spec.interval}})`, false},
	"a filter":           {"likewise", `any["Probe.monitoring.example.org/v1"].map(k, any["Probe.monitoring.example.org/v1"][k]).filter(o, has(o.metadata.labels) && "keep" in o.metadata.labels)`, false},
	"forty objects":      {"nor many of it", "[" + repeated(`{"kind": "A", "metadata": {"name": "a", "labels": {"x": names.a}}, "spec": {"a": [], "b": [{"c": 1}, {"c": "2"}], "d": {}}}, `, 40) + "{}]", false},
	"long list":          {"what is long and simple passes", numbers(5000), false},
	"long sum":           {"likewise", "[1" + repeated(",1+1", 2400) + "]", false},
	"unknown names":      {"many faults", "[" + repeated("a,", 5000) + "a]", false},
	"wrong types":        {"likewise", "[" + repeated("1+'a',", 1600) + "1]", false},
	"wrong comparisons":  {"likewise, with types in the messages", repeated("[1,'a'].map(x,x+1)==1||", 80) + "true", false},
	"far faults":         {"which point to the end of a long line", "'" + repeated("x", 9000) + "'==a" + repeated("||a", 300), false},
	"deep text":          {"the parser gives up", repeated("(", 10000), false},
	"many signs":         {"likewise", repeated("-", 9999) + "1", false},
	"a long alternative": {"likewise", "true" + repeated("||true", 1700), false},
}

// TestDemanding holds that compiling is bounded, in bytes, since these are the same on every machine;
// what takes the checker a hundred bytes takes it some two hundred nanoseconds.
func TestDemanding(t *testing.T) {
	e := env(t)
	for name, tc := range demanding {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			mb, err := allocated(func() error { _, err := e.Compile(tc.text); return written(err) })
			if took := time.Since(start); mb > 50 || took > 5*time.Second {
				t.Errorf("%s: took %v and %d MB", tc.reason, took, mb)
			}
			if errors.Is(err, cel.ErrTypes) != tc.refused {
				t.Errorf("%s: want it refused: %v, got %.200v", tc.reason, tc.refused, err)
			}
		})
	}
}

// written is err after a call of Error.
func written(err error) error {
	if err != nil && err.Error() == "" {
		return errors.New("an error says something")
	}
	return err
}

// allocated is how many megabytes a call allocates.
func allocated(do func() error) (mb uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = do()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20, err
}

func TestErrTypes(t *testing.T) {
	if text := cel.ErrTypes.Error(); strings.Contains(text, "\n") || len(text) > 250 {
		t.Errorf("one line that says what to do, got %q", text)
	}
	_, err := env(t).Compile("dyn([1])" + repeated(".map(a,dyn({a:a}))", 60))
	if err != nil {
		t.Errorf("it says what helps: %v", err)
	}
}

// FuzzCompile looks for a panic and for an expression that takes more to compile than it may. A part
// of it is written down again and again: that is how a short text becomes much work.
func FuzzCompile(f *testing.F) {
	for _, part := range []string{".map(a,{a:a})", ".map(a,[a,[a]])", ".filter(a,a!=[])", ".exists(a,a==a)", ".transformMap(i,a,{i:[a]})", ".map(a,optional.of(a))", ".map(a,[{[]:a},{a:[]}])", ".map(a,type(a))", ".map(a,a==a?[a]:[])", ".map(a,{?'a':a[?0]})", "&&1==1", ".a", "['a']", "+1", "||a", ",[]", "?1:true"} {
		f.Add("[1]", part, uint8(9), "")
		f.Add("[[]]", part, uint8(30), "[0]")
		f.Add("any", part, uint8(90), ".size()")
	}
	e := env(f)
	f.Fuzz(func(t *testing.T, start, part string, times uint8, end string) {
		text := start + repeated(part, int(times)) + end
		var err error
		began := time.Now()
		mb, _ := allocated(func() error { _, err = e.Compile(text); return written(err) })
		if took := time.Since(began); mb > 60 || took > 5*time.Second {
			t.Errorf("%d characters took %v and %d MB: %.300q", len(text), took, mb, text)
		}
		if err != nil && len(err.Error()) > 4<<20 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	e := env(b)
	for name, text := range map[string]string{
		"ordinary": "has(input.status.ready) ? input.status.ready : 0",
		"objects":  `input.spec.ports.map(p, {"kind": "Probe", "metadata": {"name": input.metadata.name + "-" + p.name}, "spec": {"port": p.port}})`,
		"refused":  demanding["doubled for long"].text,
		"largest":  demanding["some comparisons"].text,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Compile(text); (err != nil) != (name == "refused") {
					b.Fatal(err)
				}
			}
		})
	}
}
