package mutation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
)

const lists = `{"a": {"b": " x ", "n": 9007199254740993, "f": 1.50, "t": true, "z": null, "o": {"c": [1]}, "text": "[7,8]"},
	"list": [{"name": "a", "env": [{"k": "p", "v": 1}, {"k": "q", "v": 2}]}, {"name": " b", "env": [{"k": "q", "v": 3}]}, "[9]", null, 5],
	"@x": 1, "k.1": {"e*": 2}, "#": 3, "empty": [], "8080": "port", ":1": "colon", "none": ""}`

func TestTexts(t *testing.T) {
	cases := map[string]struct {
		reason, path string
		want         []string
	}{
		"Text":        {"trimmed", "a.b", []string{"x"}},
		"Number":      {"exact", "a.n", []string{"9007199254740993"}},
		"Float":       {"", "a.f", []string{"1.5"}},
		"Flag":        {"", "a.t", []string{"true"}},
		"Null":        {"null is nothing", "a.z", nil},
		"Missing":     {"", "a.x.y", nil},
		"Empty":       {"the empty text is there", "none", []string{""}},
		"Object":      {"as JSON", "a.o", []string{`{"c": [1]}`}},
		"List":        {"each part", "list.0.env", []string{`{"k": "p", "v": 1}`, `{"k": "q", "v": 2}`}},
		"EmptyList":   {"of none", "empty", nil},
		"Index":       {"", "list.1.name", []string{"b"}},
		"IndexFar":    {"", "list.9", nil},
		"IndexHuge":   {"beyond all numbers", "list.18446744073709551616", nil},
		"Each":        {"of all items that have it", "list.#.name", []string{"a", "b"}},
		"EachEach":    {"lists of lists", "list.#.env.#.v", []string{"[1,2]", "[3]"}},
		"Count":       {"how many", "list.#", []string{"5"}},
		"CountEach":   {"", "list.#.env.#", []string{"2", "1"}},
		"Query":       {"the first match", `list.#(name=="a").env.#(k=="q").v`, []string{"2"}},
		"QueryAll":    {"all matches", `list.0.env.#(v>0)#.k`, []string{"p", "q"}},
		"QueryNone":   {"", `list.#(name=="x").env`, nil},
		"QueryWithin": {"an item that contains a match", `list.#(env.#(v==3)).name`, []string{"b"}},
		"QueryObject": {"a query is for lists", `a.#(b=="x")`, nil},
		"QueryText":   {"the value of a query is no path", `list.#(name=="|@pretty").name`, nil},
		"QueryFound":  {"", `list.#(name%"a*").env.0.k`, []string{"p"}},
		"Bar":         {"from the list of all results", "list.#.name|0", []string{"a"}},
		"BarCount":    {"", "list.#.env.#.v|#", []string{"2"}},
		"BarPlain":    {"else it is a dot", "a|b", []string{"x"}},
		"BarText":     {"a text that looks like JSON is a text", "a|text|0", nil},
		"DotText":     {"", "a.text.0", nil},
		"EachText":    {"in a list, too", "list.#.0", nil},
		"Wildcard":    {"the first key that matches", "li*.1.na?e", []string{"b"}},
		"Escapes":     {"characters that mean something", `k\.1.e\*`, []string{"2"}},
		"EscapeAt":    {"", `\@x`, []string{"1"}},
		"EscapeHash":  {"", `\#`, []string{"3"}},
		"KeyNumber":   {"a number is a key of an object", "8080", []string{"port"}},
		"KeyForced":   {"so it is with a colon", ":8080", []string{"port"}},
		"KeyNoPlace":  {"which is no place in a list", "list.:0", nil},
		"KeyColon":    {"a key with a colon", `\:1`, []string{"colon"}},
		"NoPath":      {"an invalid path finds nothing", "a..b", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, mutation.Texts([]byte(lists), tc.path)); diff != "" {
				t.Errorf("%s: %s: -want +got:\n%s", tc.reason, tc.path, diff)
			}
		})
	}
}

func TestCheckPath(t *testing.T) {
	for _, path := range []string{"a", "a.0.b", `a\.b`, "#", "a.#.b", `a.#(b=="c")#.d`, `a.#(b.c>=1)`, "a.#[b=1]", "a*.b?", "a|b", `a.#(=="x|@y")`, "a@b", "-1", ":1", "é.ü"} {
		if err := mutation.CheckPath(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{
		"", ".", "a.", ".a", "a..b", "..a", "a|", "|a", "@this", "a.@reverse", "a|@pretty", "!1", "a.!\"x\"", "{a,b}", "a.{b}", "[a,b]", "a.[b]", `a\`,
		"#(", "a.#(b", `a.#(b=="c)`, "a.#(b)c", "#x", "a.#(@this)", "a.#({x}==1)", "a.#(b|c==1)", `a.#(b.#(c=="|@tostr"))`, `a\*b*`,
		strings.Repeat("a.", 64) + "a", strings.Repeat("a", 5000), strings.Repeat("#(a.", 1000) + strings.Repeat(")", 1000),
	} {
		if err := mutation.CheckPath(path); err == nil {
			t.Errorf("%.50s is a path", path)
		}
	}
}

func TestLookup(t *testing.T) {
	doc := []byte(lists)
	if v, err := mutation.Lookup(doc, "a.n"); err != nil || !v.Exists() || v.Int() != 9007199254740993 || v.String() != "9007199254740993" || !v.Bool() || v.Plain() != int64(9007199254740993) {
		t.Errorf("a number: %v, %v", v, err)
	}
	if v, err := mutation.Lookup(doc, "a.x"); err != nil || v.Exists() || v.Int() != 0 || v.Float() != 0 || v.String() != "" || v.Bool() || v.Plain() != nil {
		t.Errorf("nothing: %v, %v", v, err)
	}
	if v, err := mutation.Lookup(doc, "a.z"); err != nil || !v.Exists() || v.Plain() != nil {
		t.Errorf("null is there: %v, %v", v, err)
	}
	if _, err := mutation.Lookup(doc, "@this"); err == nil {
		t.Error("a modifier is no path")
	}
}
