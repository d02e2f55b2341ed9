package fleet

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// TestContents compares fleets that share what they hold with fleets that were read apart, and with works that were all parsed.
func TestContents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tb := asTB{t, rt}
		before, after := treeOf(tb, randomFleet(rt, "before")), treeOf(tb, randomFleet(rt, "after"))
		want := previewText(tb, compared(tb, before, after))
		apart, err := Compare(readFleet(tb, before), readFleet(tb, after))
		if err != nil {
			tb.Fatal(err)
		}
		if diff := cmp.Diff(want, previewText(tb, apart)); diff != "" {
			tb.Errorf("read apart (-shared +apart):\n%s", diff)
		}
		thorough, err := compare(readFleet(tb, before), readFleet(tb, after), true, func(int, int) {})
		if err != nil {
			tb.Fatal(err)
		}
		if diff := cmp.Diff(want, previewText(tb, thorough)); diff != "" {
			tb.Errorf("all parsed (-scanned +parsed):\n%s", diff)
		}
	})
}

func readFleet(t testing.TB, tree pkgtree.Tree) *Fleet {
	t.Helper()
	f, err := Read(tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func previewText(t testing.TB, c *Comparison) string {
	t.Helper()
	data, err := json.MarshalIndent(c.Preview(""), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestContentsOnce keeps a manifest once that stands in many works, and keeps apart what only begins alike.
func TestContentsOnce(t *testing.T) {
	c := newContents()
	a, b := c.of([]byte("    - kind: A\n"), 6), c.of([]byte("    - kind: A\n"), 6)
	if a != b || a == c.of([]byte("    - kind: A\n"), 0) || a == c.of([]byte("    - kind: B\n"), 6) {
		t.Error("equal texts are not one content, or different ones are")
	}
	text := []byte("    - kind: FooList\n")
	list := c.of(text, 6)
	copy(text, "changed")
	if !list.list || a.list || string(list.text) != "    - kind: FooList\n" {
		t.Errorf("a list is told from others, and its text is a copy: %q", list.text)
	}
	if x, y := c.settings([]byte("  a: b\n")), c.settings([]byte("  a: c\n")); x == y || x != c.settings([]byte("  a: b\n")) {
		t.Error("equal settings are not one, or different ones are")
	}
	object := "    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: x\n      data:\n        k: "
	for _, value := range []string{"1", "2"} { // the second is known by its identifying fields
		content := c.of([]byte(object+value+"\n"), 6)
		if id, err := content.ID(); err != nil || id != (krm.ID{Kind: "ConfigMap", Name: "x"}) {
			t.Errorf("the object is taken for %v, %v", id, err)
		}
		if id, known := c.ids.of(identifyingFields(content.YAML())); !known || id.Name != "x" {
			t.Errorf("its identity is not kept: %v", id)
		}
	}
	if id, err := c.of([]byte(object+"1\n        name: y\n      kind: Secret\n"), 6).ID(); err == nil {
		t.Errorf("with a field twice it is taken for %v", id)
	}
	item := "    - apiVersion: v1\n      kind: ConfigMapList\n      items: []\n"
	for range 2 { // a list that is known, and one that is new
		if c.scan([]byte(workHead+"  namespace: c\n  name: w\n"+manifestsHead+item), nil) != nil {
			t.Error("a list in a work is for a parser")
		}
	}
}
