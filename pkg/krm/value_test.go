package krm

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	sigs "sigs.k8s.io/yaml"
)

func TestCanonicalJSON(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     string
		want   string
		sigs   string // what an API server's YAML reader makes of it, where that differs
	}{
		"ordinary":         {reason: "keys sorted, no space, no HTML escaping", in: "b: <x> & y\na: [1, -2, 2.5, true, false, null, text]\n", want: `{"a":[1,-2,2.5,true,false,null,"text"],"b":"<x> & y"}`},
		"nested":           {reason: "all the way down", in: "d:\n  c:\n  - x: {w: 1, v: 2}\na: {}\nb: []\n", want: `{"a":{},"b":[],"d":{"c":[{"x":{"v":2,"w":1}}]}}`},
		"nulls":            {reason: "three ways to say nothing", in: "a:\nb: ~\nc: null\n", want: `{"a":null,"b":null,"c":null}`},
		"quoted":           {reason: "quoted is text", in: "a: \"1\"\nb: 'true'\nc: \"\"\nd: '~'\n", want: `{"a":"1","b":"true","c":"","d":"~"}`},
		"numbers":          {reason: "bases, signs and fractions", in: "a: 0x10\nb: +5\nc: 1.0\nd: 1e3\ne: .5\nf: 0\ng: -0\n", want: `{"a":16,"b":5,"c":1,"d":1000,"e":0.5,"f":0,"g":0}`},
		"octal":            {reason: "a leading zero means octal to API servers, negative ones included", in: "a: 012\nb: -012\nc: 0777\n", want: `{"a":10,"b":-10,"c":511}`},
		"not octal":        {reason: "8 and 9 are no octal digits", in: "a: 089\n", want: `{"a":89}`},
		"large":            {reason: "beyond int64, then beyond uint64", in: "a: 9223372036854775807\nb: 18446744073709551615\nc: 18446744073709551616\n", want: `{"a":9223372036854775807,"b":18446744073709551615,"c":18446744073709552000}`},
		"timestamps":       {reason: "stay text", in: "a: 2001-12-14\nb: 2001-12-14T21:59:43Z\n", want: `{"a":"2001-12-14","b":"2001-12-14T21:59:43Z"}`},
		"multi line":       {reason: "literal and folded", in: "a: |\n  x\n  y\nb: >\n  x\n  y\n", want: `{"a":"x\ny\n","b":"x y\n"}`},
		"aliases":          {reason: "followed", in: "a: &a {x: 1}\nb: *a\n", want: `{"a":{"x":1},"b":{"x":1}}`},
		"separators":       {reason: "line separators are escaped, as encoding/json does", in: "a: \"x\\u2028y\"\n", want: `{"a":"x\u2028y"}`},
		"number-like keys": {reason: "keys are text", in: "1: a\ntrue: b\n", want: `{"1":"a","true":"b"}`},
		"YAML 1.1 words":   {reason: "kpt reads text, API servers read booleans; the writer quotes them when it made them", in: "a: yes\nb: off\nc: n\n", want: `{"a":"yes","b":"off","c":"n"}`, sigs: `{"a":true,"b":false,"c":false}`},
		"YAML 1.1 keys":    {reason: "the same for keys", in: "on: 1\n", want: `{"on":1}`, sigs: `{"true":1}`},
		"YAML 1.2 octal":   {reason: "the newer spelling is understood as well", in: "a: 0o14\n", want: `{"a":12}`},
		"base 60":          {reason: "neither reads base 60", in: "a: 1:30\n", want: `{"a":"1:30"}`},
		"binary":           {reason: "stays the text it was", in: "a: !!binary aGk=\n", want: `{"a":"aGk="}`, sigs: `{"a":"hi"}`},
		"own tags":         {reason: "unknown tags are ignored", in: "a: !mine x\nb: !mine {c: 1}\n", want: `{"a":"x","b":{"c":1}}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := CanonicalJSON(one(t, c.in).Node())
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, string(got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			checkSigs(t, c.reason, c.in, c.want, c.sigs)
		})
	}
}

// checkSigs compares with the YAML reader of API servers: the same data, or the difference we know.
func checkSigs(t *testing.T, reason, in, want, differs string) {
	t.Helper()
	theirs, err := sigs.YAMLToJSON([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if differs == "" {
		differs = want
	}
	node := one(t, string(theirs)).Node()
	got, err := CanonicalJSON(node)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(differs, string(got)); d != "" {
		t.Errorf("%s: API servers (-want +got):\n%s", reason, d)
	}
}

func TestValueRefuses(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"NaN":            {"JSON has no NaN", "a: 1\nb: .nan\n", "b: .nan is not a number that JSON can hold"},
		"infinity":       {"nor infinity", "b: [-.Inf]\n", "b[0]: -.Inf is not a number that JSON can hold"},
		"tagged boolean": {"the tag lies", "b: !!bool maybe\n", "b: tagged !!bool but is no boolean"},
		"tagged integer": {"the tag lies, and the text may be a secret", "b: !!int hunter2\n", "b: tagged !!int but is no whole number"},
		"tagged float":   {"the tag lies", "b: !!float x\n", "b: tagged !!float but is no number"},
		"empty integer":  {"no digit at all", "b: !!int ''\n", "b: tagged !!int but is no whole number"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := one(t, c.in)
			_, err := Value(o.Node())
			if err == nil {
				t.Fatalf("%s: want an error", c.reason)
			}
			if d := cmp.Diff(c.want, err.Error()); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if _, err := CanonicalJSON(o.Node()); err == nil {
				t.Errorf("%s: CanonicalJSON must refuse what Value refuses", c.reason)
			}
		})
	}
}

func TestEquivalent(t *testing.T) {
	cases := map[string]struct {
		reason, a, b string
		want         bool
	}{
		"key order":       {"the order of keys does not matter", "a: 1\nb: 2\n", "b: 2\na: 1\n", true},
		"style":           {"nor do style and comments", "# c\na: {b: x} # d\n", "a:\n  b: \"x\"\n", true},
		"alias":           {"an alias is what it stands for", "a: &a {x: 1}\nb: *a\n", "a: {x: 1}\nb: {x: 1}\n", true},
		"list order":      {"the order of lists does", "a: [1, 2]\n", "a: [2, 1]\n", false},
		"longer":          {"a list that goes on", "a: [1]\n", "a: [1, 2]\n", false},
		"missing":         {"a field less", "a: 1\n", "a: 1\nb: 2\n", false},
		"other name":      {"as many fields, other names", "a: 1\nb: null\n", "a: 1\nc: null\n", false},
		"type":            {"a text is no number", "a: \"1\"\n", "a: 1\n", false},
		"kind":            {"a list is no map", "a: []\n", "a: {}\n", false},
		"null and absent": {"null is a value", "a: 1\nb: null\n", "a: 1\n", false},
		"spelling":        {"as kpt, which writes what a function respelled", "a: 0x10\n", "a: 16\n", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a, b := one(t, c.a).Node(), one(t, c.b).Node()
			if got := Equivalent(a, b); got != c.want || Equivalent(b, a) != got {
				t.Errorf("%s: got %t (and %t the other way), want %t", c.reason, got, Equivalent(b, a), c.want)
			}
			if !Equivalent(a, a) || !Equivalent(b, CopyNode(b)) {
				t.Errorf("%s: a node must be equivalent to itself and to its copy", c.reason)
			}
			ja, _ := CanonicalJSON(a)
			jb, _ := CanonicalJSON(b)
			if c.want && string(ja) != string(jb) {
				t.Errorf("%s: equivalent, but %s and %s", c.reason, ja, jb)
			}
		})
	}
}

func TestSame(t *testing.T) {
	base := "# h\na: x # c\nb: [1]\n"
	cases := map[string]struct {
		reason, text string
		want         bool
	}{
		"itself":      {"the same text", base, true},
		"style":       {"quotes are text", "# h\na: 'x' # c\nb: [1]\n", false},
		"comment":     {"comments are text", "# h\na: x # d\nb: [1]\n", false},
		"header":      {"so is the comment above", "# i\na: x # c\nb: [1]\n", false},
		"foot":        {"so is the one below", base + "\n# f\n", false},
		"order":       {"so is the order", "# h\nb: [1]\na: x # c\n", false},
		"lines moved": {"where it stands in the file is not", "# h\n\n\na: x # c\n\n\nb: [1]\n", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a, b := one(t, base), one(t, c.text)
			if got := Same(a, b); got != c.want || Same(b, a) != got {
				t.Errorf("%s: got %t, want %t", c.reason, got, c.want)
			}
			if written := write(t, a) == write(t, b); written != c.want {
				t.Errorf("%s: written the same is %t, want %t", c.reason, written, c.want)
			}
		})
	}
}
