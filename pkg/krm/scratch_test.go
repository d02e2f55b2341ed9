package krm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScratch copies objects of all sizes into the same memory, changes each copy, and copies on.
func TestScratch(t *testing.T) {
	texts := []string{
		"kind: A # c\n",
		"a: &x {k: v}\nb: *x\nc: [1, 2]\n",
		"many:\n" + strings.Repeat("- {a: 1, b: [x]}\n", 3*pageLength),
		"wide:" + strings.Repeat(" x", pageLength) + "\n",
	}
	for i := range 30 {
		texts = append(texts, fmt.Sprintf("# head\nn: %d\nlist: [%s]\n# foot\n", i, strings.Repeat("a, ", i*40)))
	}
	var scratch Scratch
	for range 2 {
		for i, text := range texts {
			o := mustRead(t, text)[0]
			before := mustWrite(t, o)
			c := scratch.Copy(o)
			if d := cmp.Diff(before, mustWrite(t, c)); d != "" {
				t.Fatalf("object %d: its copy is different (-object +copy):\n%s", i, d)
			}
			if c.Origin() != o.Origin() || !c.Copied() {
				t.Errorf("object %d: its copy does not know what it is", i)
			}
			c.ExpandAliases()
			for j := range c.Node().Content {
				c.Node().Content[j].Value, c.Node().Content[j].Content = "changed", nil
			}
			c.Node().Content = append(c.Node().Content, StringNode("new"), StringNode("field"))
			if d := cmp.Diff(before, mustWrite(t, o)); d != "" {
				t.Fatalf("object %d: changing the copy changed it (-before +after):\n%s", i, d)
			}
		}
	}
	if len(scratch.nodes.all) > 8 || len(scratch.lists.all) > 8 {
		t.Errorf("%d and %d pages stay after a huge object", len(scratch.nodes.all), len(scratch.lists.all))
	}
}

func mustRead(t *testing.T, text string) []*Object {
	t.Helper()
	objs, err := Read("f.yaml", []byte(text), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objs
}

func mustWrite(t *testing.T, o *Object) string {
	t.Helper()
	data, err := Write([]*Object{o})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCompact holds that an object keeps all that it is when its nodes move, deferred field and aliases included, and that an edit of it
// changes no other object.
func TestCompact(t *testing.T) {
	for name, text := range map[string]string{
		"plain":    "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  annotations:\n    x: \"1\"\ndata: {a: [1, {b: c}], d: }\n",
		"comments": "# head\nkind: A # line\n# foot\n\n# last\n",
		"aliases":  "kind: A\na: &x {b: [&y c]}\nd: *x\ne: *y\n",
		"lazy":     "kind: A\nmetadata:\n  annotations:\n    by: me\nspec:\n  a: [1]\n",
		"empty":    "{}\n",
	} {
		t.Run(name, func(t *testing.T) {
			read := func() *Object {
				objs, err := ReadLazy("a.yaml", []byte(text), Limits{}, "spec", "by")
				if err != nil || len(objs) != 1 {
					t.Fatal(len(objs), err)
				}
				return objs[0]
			}
			o, same, want := read(), read(), read()
			o.Compact()
			same.Compact()
			if name == "lazy" {
				if _, unparsed := o.LazyText(); !unparsed {
					t.Error("its lazy field was parsed")
				}
			}
			if !Same(o, want) || o.Source != want.Source || o.Copied() {
				t.Errorf("it became %s", mustWrite(t, o))
			}
			o.SetAnnotation("new", "value")
			o.Node().Content[0].Value = "other"
			if got := mustWrite(t, same); got != mustWrite(t, want) {
				t.Errorf("another object became %s", got)
			}
			want.SetAnnotation("new", "value")
			want.Node().Content[0].Value = "other"
			if got := mustWrite(t, o); got != mustWrite(t, want) {
				t.Errorf("edited, it is %s\nwant %s", got, mustWrite(t, want))
			}
		})
	}
}
