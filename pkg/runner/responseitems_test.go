package runner

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// small is a request of a few objects of a few lines.
func small(t testing.TB) *request {
	t.Helper()
	var items []*krm.Object
	for i, text := range []string{"# head\na: 1 # note\nb: [x]\n", "s: |\n  - no item\n\n  items:\nt: 2\n", "u: |+\n  end\n\n", "v: é\nw: {x: 1}\n"} {
		o := parseOne(t, text)
		o.SetPath(fmt.Sprintf("f%d.yaml", i), 0)
		items = append(items, o)
	}
	r, err := newRequest(&fn.Input{Items: items})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkByItem holds that an answer that is cut means what it means to the parser as a whole, and reports
// whether it is cut.
func checkByItem(t testing.TB, r *request, stdout []byte) bool {
	t.Helper()
	before := bytes.Clone(stdout)
	cut := r.parseByItem(stdout)
	if !bytes.Equal(before, stdout) {
		t.Fatal("the answer was written to")
	}
	if cut == nil {
		return false
	}
	whole := *r
	whole.at = nil
	want, err := whole.parse(stdout)
	if err != nil {
		t.Fatalf("what is no list to the parser was cut: %v\n%s", err, stdout)
	}
	if d := cmp.Diff(want.results, cut.results); d != "" {
		t.Fatalf("results (-whole +cut):\n%s", d)
	}
	if d := cmp.Diff(restored(t, r, want), restored(t, r, cut)); d != "" {
		t.Fatalf("items of\n%s\n(-whole +cut):\n%s", stdout, d)
	}
	return true
}

// restored is the text of each item, and which one it was.
func restored(t testing.TB, r *request, a *answer) (texts []string) {
	items, err := restore(r.items, a.items)
	if err != nil {
		return []string{err.Error()}
	}
	for _, o := range items {
		from := "new"
		for i, old := range r.items {
			if o == old {
				from = fmt.Sprint("item ", i, ", unchanged")
			} else if o.Origin() == old.Origin() {
				from = fmt.Sprint("item ", i)
			}
		}
		texts = append(texts, from+"\n"+raw(t, o))
	}
	return texts
}

var answers = map[string]struct {
	reason string
	edit   func(list string) string
	cut    bool
}{
	"echo":            {"as it was sent", func(s string) string { return s }, true},
	"changed":         {"one item has another value", replace("t: 2", "t: 3"), true},
	"comment lost":    {"one item lost a comment", replace(" # note", ""), true},
	"comment new":     {"one item has a new comment", replace("t: 2", "t: 2 # new"), true},
	"reversed":        {"another order", func(s string) string { return reorder(s, 3, 2, 1, 0) }, true},
	"removed":         {"an item is gone", func(s string) string { return reorder(s, 0, 2, 3) }, true},
	"twice":           {"a copy of an item is new", func(s string) string { return reorder(s, 0, 1, 1, 0) }, true},
	"new":             {"an item without a number", func(s string) string { return s + "- x: 1\n" }, true},
	"invented":        {"an unknown number", replace("id: '1'", "id: '17'"), true},
	"swapped":         {"a number that is another's", replace("id: '1'", "id: '2'"), true},
	"results":         {"results behind the items", func(s string) string { return s + "results:\n- message: m\n" }, true},
	"config":          {"the config comes back", func(s string) string { return s + "functionConfig:\n  a: 1\n# c\nresults: []\n" }, true},
	"no line end":     {"the last line has no end", func(s string) string { return s[:len(s)-1] }, true},
	"text":            {"an item in quotes that go on", func(s string) string { return s + "- x: \"a\n- b: 1\n  \"\n" }, false},
	"comment above":   {"a comment between items belongs to one of them", replace("- s: |", "# c\n- s: |"), false},
	"comment below":   {"so does one at the end of an item", replace("k8s.io/id: '1'\n", "k8s.io/id: '1'\n  # c\n"), false},
	"comment inside":  {"but not one that a field follows", replace("  t: 2\n", "  # c\n  t: 2\n"), true},
	"alias between":   {"an alias to what another item holds", func(s string) string { return s + "- x: &a 1\n- y: *a\n" }, false},
	"other order":     {"kind first", replace("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n", "kind: ResourceList\napiVersion: config.kubernetes.io/v1\n"), false},
	"duplicate items": {"a second list", func(s string) string { return s + "items: []\n" }, false},
	"document end":    {"another document", func(s string) string { return s + "---\na: 1\n" }, false},
	"odd line end":    {"a line end that only the parser sees", func(s string) string { return s + "- x: 1\u2028- y: 2\n" }, false},
	"no object":       {"an item that is none", func(s string) string { return s + "- text\n" }, false},
	"hole":            {"nor is nothing", func(s string) string { return s + "-\n" }, false},
	"duplicate key":   {"two fields of one name", func(s string) string { return s + "- a: 1\n  a: 2\n" }, false},
}

func replace(old, with string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, old, with) }
}

// reorder is a list with some items of s.
func reorder(s string, order ...int) string {
	head, rest, _ := strings.Cut(s, "items:\n")
	items := strings.Split("\n"+rest, "\n- ")[1:]
	out := head + "items:\n"
	for _, i := range order {
		out += "- " + strings.TrimSuffix(items[i], "\n") + "\n"
	}
	return out
}

func TestParseByItem(t *testing.T) {
	for name, c := range answers {
		t.Run(name, func(t *testing.T) {
			r := small(t)
			if got := checkByItem(t, r, []byte(c.edit(string(r.text)))); got != c.cut {
				t.Errorf("%s: cut is %t, want %t", c.reason, got, c.cut)
			}
		})
	}
}

// FuzzParseByItem holds that whatever a program prints, cut or not it means the same.
func FuzzParseByItem(f *testing.F) {
	r := small(f)
	for _, c := range answers {
		f.Add([]byte(c.edit(string(r.text))))
	}
	f.Fuzz(func(t *testing.T, stdout []byte) { checkByItem(t, small(t), stdout) })
}
