package cel

import (
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
)

// TestTyping holds that what the checker is said to do is no less than the types it writes down, each in
// full: the law without which a bound on the one is none on the other.
func TestTyping(t *testing.T) {
	e, err := New(Options{Language: []cel.EnvOption{cel.OptionalTypes(), ext.TwoVarComprehensions(), cel.Variable("any", cel.DynType)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []string{"[1]", "[[]]", "any", "{1: 'a'}", "[{}]", "[null]", "[any]", "[1, 'a']", "[optional.none()]"} {
		for _, part := range []string{
			".map(a,{a:a})", ".map(a,[a,[a]])", ".map(a,[{[]:a},{a:[]}])", ".map(a,[[]].map(x,{x:[x,[a]]}))", ".filter(a,a!=[])", ".map(a,optional.of(a))",
			".map(a,[{1:[]},{a:[1]}])", ".map(a,type(a))", ".map(a,true?a:[a])", ".map(a,[]+[a])", ".transformMap(i,a,[a,i])", ".transformList(i,a,{i:[a]})",
			".map(a,[optional.of(a),optional.none()])", ".map(a,{?'a':optional.of([a])})", ".map(a,[null,[a]])", ".map(a,[a,1,[a]])", ".map(a,[[a],a][0])", ".map(a,[{'v':[]},{'v':[a]}][0].v)",
			".map(a,[optional.of(1),any][0].value()).map(v,{v:[v,[v]]})", ".map(a,[[a],any][0]['k'])",
		} {
			for _, times := range []int{1, 2, 3, 5} {
				checkTyping(t, e, start+strings.Repeat(part, times))
			}
		}
	}
}

func checkTyping(t *testing.T, e *Env, text string) {
	parsed, issues := e.cel.Parse(text)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	spent, err := e.typing(parsed.NativeRep())
	if err != nil {
		return // refused
	}
	checked, issues := e.cel.Check(parsed)
	if issues.Err() != nil {
		return // a fault ends it early
	}
	written := 0
	for _, each := range checked.NativeRep().TypeMap() {
		written += sizeOfType(each)
	}
	if written > spent {
		t.Errorf("%s: types of %d parts, and said to cost %d", text, written, spent)
	}
}

// TestFault holds that a Fault says what the library says.
func TestFault(t *testing.T) {
	e, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", "a", "1 +", "a + b", "'é' + a + 'ü' + c", "'éé'\n + \tb\n+\n", "[\n1 + 'a',\n x]", "@", "é", strings.Repeat("(", 300), strings.Repeat("x", MaxLength+1),
		"a.b(1, c)\n.d(", "'a' < 1 || 1 < 'é' || z", "\xff + a",
	} {
		_, issues := e.cel.Compile(text)
		_, err := e.Compile(text)
		if issues.Err() == nil || err == nil {
			t.Fatalf("%q is no fault: %v, %v", text, issues.Err(), err)
		}
		if want, got := issues.Err().Error(), err.Error(); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

func sizeOfType(t *types.Type) int {
	size := 1
	for _, p := range t.Parameters() {
		size += sizeOfType(p)
	}
	return size
}
