package transform

import (
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
)

var (
	// grammar is that of paths once more, as an expression: the parser accepts what it matches, and
	// nothing else.
	grammar = regexp.MustCompile(`^\$(?:` +
		`\.[A-Za-z_\x{80}-\x{10FFFF}][0-9A-Za-z_\x{80}-\x{10FFFF}]*|` +
		`\["(?:[^"\\\n\r]|\\[^xu]|\\x[[:xdigit:]]{2}|\\u[[:xdigit:]]{4}|\\u\{0*(?:10[[:xdigit:]]{4}|[[:xdigit:]]{1,5})\})*"\]` +
		`)*$`)
	refusal = regexp.MustCompile(`^(?:EOF|syntax error: not valid UTF-8|syntax error at (\d+): [^\n]+)$`)
)

// checkPath holds for every query: what the grammar allows parses, can be written and is read back
// as the same; anything else is an error of one line that says where it began.
func checkPath(t testing.TB, query string) {
	path, err := ParsePath(query)
	if allowed := utf8.ValidString(query) && grammar.MatchString(query); allowed != (err == nil) {
		t.Fatalf("%q: the grammar allows it: %t; the parser says %v", query, allowed, err)
	}
	if err != nil {
		checkRefusal(t, query, err.Error())
		return
	}
	again, err := ParsePath(path.String())
	if err != nil {
		t.Fatalf("%q: written as %q, which does not parse: %v", query, path, err)
	}
	if d := cmp.Diff(path, again); d != "" {
		t.Errorf("%q: written as %q and read back differently (-path +again):\n%s", query, path, d)
	}
}

// checkRefusal holds the offset of an error inside the query, at the first byte that is at fault:
// what stands before it has no fault of its own, it only ends too early.
func checkRefusal(t testing.TB, query, text string) {
	m := refusal.FindStringSubmatch(text)
	switch {
	case m == nil:
		t.Fatalf("%q: %q is not an error of the contract", query, text)
	case m[1] == "":
		return
	}
	at, err := strconv.Atoi(m[1])
	if err != nil || at > len(query) {
		t.Fatalf("%q: offset of %q is outside", query, text)
	}
	if _, err := ParsePath(query[:at]); at > 0 && err != nil {
		if m := refusal.FindStringSubmatch(err.Error()); m == nil || m[1] != strconv.Itoa(at) {
			t.Errorf("%q: %q, but without the rest %q", query, text, err)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	for _, tc := range pathCases {
		f.Add(tc.query)
	}
	for _, query := range goldenQueries(f) {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) { checkPath(t, query) })
}

// goldenQueries are the paths of the golden cases of custom-transform.
func goldenQueries(t testing.TB) (found []string) {
	files, err := filepath.Glob("../../functions/custom-transform/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range ar.Files {
			if part.Name == "in.yaml" {
				found = append(found, queriesIn(t, part.Data)...)
			}
		}
	}
	if len(found) == 0 {
		t.Fatal("the golden cases hold no path")
	}
	return found
}

func queriesIn(t testing.TB, data []byte) (found []string) {
	objs, err := krm.Read("in.yaml", data, krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objs {
		if remove := o.Lookup("spec", "remove"); remove != nil && o.Kind() == control.KindCustomTransform {
			for _, n := range remove.Content {
				found = append(found, n.Value)
			}
		}
	}
	return found
}
