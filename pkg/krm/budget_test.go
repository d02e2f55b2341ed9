package krm

import (
	"fmt"
	"strings"
	"testing"
)

// TestBudget reads texts that are each within their limits, and together are not.
func TestBudget(t *testing.T) {
	list := func(values int) string { return "a: [" + strings.Repeat("1,", values) + "]\n" }
	for name, tc := range map[string]struct {
		reason string
		texts  []string
		want   string // the error, "" for none
	}{
		"within": {"as many as are allowed", []string{list(40), list(40)}, ""},
		"files":  {"files add up", []string{list(60), list(60)}, "1.yaml: document 1, line 1: with this object, the package holds more than the 100 values allowed in all; split the package, or give the process more memory, which the limit follows"},
		"documents": {"and so do documents", []string{list(60) + "---\n" + list(60)},
			"0.yaml: document 2, line 3: with this object, the package holds more than the 100 values allowed in all; split the package, or give the process more memory, which the limit follows"},
	} {
		t.Run(name, func(t *testing.T) {
			budget, got := &Budget{Most: 100}, ""
			for i, text := range tc.texts {
				if _, err := Read(fmt.Sprintf("%d.yaml", i), []byte(text), Limits{Budget: budget}); err != nil {
					got = err.Error()
				}
			}
			if got != tc.want || budget.Over() != (tc.want != "") {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}

// TestBudgetOfLazyField parses a lazy field when the budget has no room for it.
func TestBudgetOfLazyField(t *testing.T) {
	text := "kind: A\nmetadata:\n  name: a\n  annotations:\n    mark: x\nspec:\n" + strings.Repeat("  k: 1\n", 1) + "  l: [" + strings.Repeat("1,", 200) + "]\n"
	objects, err := ReadLazy("f.yaml", []byte(text), Limits{Budget: &Budget{Most: 100}}, "spec", "mark")
	if err != nil || !objects[0].IsLazy() {
		t.Fatal("it was parsed at once", err)
	}
	want := "f.yaml: document 1, line 6: with this object, the package holds more than the 100 values allowed in all; split the package, or give the process more memory, which the limit follows"
	if err := objects[0].Check(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestTooManyMarks has text refused before it is parsed, and text of an ordinary object is not.
func TestTooManyMarks(t *testing.T) {
	want := "f.yaml: document 1, line 1: its 1900003 lines, commas, colons and brackets may hold more than the 500000 values allowed; split it into several objects"
	hostile := []byte("a: [" + strings.Repeat("1,", 1_900_000) + "]\n")
	var err error
	if n := testing.AllocsPerRun(1, func() { _, err = Read("f.yaml", hostile, Limits{}) }); n > 1000 {
		t.Errorf("it was parsed: %v allocations", n)
	}
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	script := "a: |\n" + strings.Repeat("  {a: b, c: [d, e]}\n", 100_000)
	if _, err := Read("f.yaml", []byte(script), Limits{}); err != nil {
		t.Error("a text of 2 MB:", err)
	}
}

// TestMarksBoundValues holds that text has no fewer marks than values, but for those in braces.
func TestMarksBoundValues(t *testing.T) {
	for _, text := range []string{
		"a: 1\n", "a:\n- 1\n- - - 2\n- b: 1\n  c:\n", "a: [1,2,[],[[]],{}]\n", "? a\n: b\n", "{\"a\":\"b\",\"c\":[1,2]}\n", "a: {b: {}, c: 1}\n",
	} {
		objects, err := Read("f.yaml", []byte(text), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if marks, values := Marks([]byte(text)), Values(objects); marks+3 < values { // the document, its map, the last value
			t.Errorf("%q: %d marks and %d values", text, marks, values)
		}
	}
}

// TestAtOnce holds that large items are written alone, and that none is lost.
func TestAtOnce(t *testing.T) {
	var objects []*Object
	for i := range 20 {
		text := "kind: A\n"
		if i == 9 {
			text += "a: [" + strings.Repeat("1,", valuesAtOnce) + "]\n"
		}
		read, err := Read("f.yaml", []byte(text), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, read...)
	}
	var sizes []int
	for some := range atOnce(objects) {
		sizes = append(sizes, len(some))
	}
	if got := fmt.Sprint(sizes); got != "[8 2 8 2]" {
		t.Errorf("got %s", got)
	}
}

// TestCheckValues refuses an item of a list that would be too much for a file.
func TestCheckValues(t *testing.T) {
	list := MapNode(StringNode("a"), MapNode())
	items := list.Content[1]
	for range DefaultLimits.Nodes/2 + 1 {
		items.Content = append(items.Content, StringNode("k"), StringNode("v"))
	}
	want := "holds 500005 values, more than the 500000 allowed in one object; split it into several"
	if err := CheckValues(FromNode(list)); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestBudgetOfWhatIsWritten bounds what functions made, as it is written.
func TestBudgetOfWhatIsWritten(t *testing.T) {
	text := []byte("kind: A\nmetadata:\n  name: a\na: [" + strings.Repeat("1,", 200) + "]\n")
	objects, err := Read("f.yaml", text, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := "A a: with this object, the package holds more than the 100 values allowed in all; split the package, or give the process more memory, which the limit follows"
	if err := Fits(text, objects, Limits{Budget: (&Budget{Most: 100}).Unused()}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
