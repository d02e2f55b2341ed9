package fleet

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const listedWork = "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: a\n  name: w\nspec:\n  workload:\n    manifests:\n"

// TestLists takes one Namespace of two away, which stand in a list.
func TestLists(t *testing.T) {
	namespaces := func(names ...string) string {
		text := "apiVersion: v1\nkind: List\nitems:\n"
		for _, n := range names {
			text += "- {apiVersion: v1, kind: Namespace, metadata: {name: " + n + "}}\n"
		}
		return text
	}
	typed := func(names ...string) string {
		return strings.NewReplacer("kind: List", "kind: NamespaceList", "apiVersion: v1, kind: Namespace, ", "").Replace(namespaces(names...))
	}
	nested := func(names ...string) string {
		return "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSuffix(typed(names...), "\n"), "\n", "\n  ") + "\n"
	}
	carried := func(text string) string {
		return listedWork + "    - " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n      ") + "\n"
	}
	quoted := func(names ...string) string {
		return strings.Replace(namespaces(names...), "kind: List", `kind: "Li\x73t"`, 1)
	}
	works := func(names ...string) string {
		return "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSuffix(carried(namespaces(names...)), "\n"), "\n", "\n  ") + "\n"
	}
	cases := map[string]struct {
		reason, file string
		text         func(...string) string
	}{
		"Plain":       {"a List in a cluster's folder", "clusters/a/l.yaml", namespaces},
		"Typed":       {"items need not say what they are", "clusters/a/l.yaml", typed},
		"Nested":      {"a list in a list", "clusters/a/l.yaml", nested},
		"Carried":     {"a manifest", "w.yaml", func(names ...string) string { return carried(namespaces(names...)) }},
		"Escaped":     {"a kind that is written with escapes", "w.yaml", func(names ...string) string { return carried(quoted(names...)) }},
		"CarriedDeep": {"in a manifest, too", "w.yaml", func(names ...string) string { return carried(nested(names...)) }},
		"Works":       {"a List of works", "w.yaml", works},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tree := func(names ...string) *Fleet {
				f, err := Read(treeOf(t, map[string][]byte{"Kptfile": []byte(plainKptfile), tc.file: []byte(tc.text(names...))}), nil)
				if err != nil {
					t.Fatal(err)
				}
				return f
			}
			before, after := tree("x", "y"), tree("x")
			if before.Objects() != 2 || after.Objects() != 1 {
				t.Errorf("%s: %d objects, then %d", tc.reason, before.Objects(), after.Objects())
			}
			c, err := Compare(before, after)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, g := range c.Preview("").Groups {
				got = append(got, g.Change+" "+g.Object.Group+"/"+g.Object.Kind+" "+g.Object.Name+" "+strings.Join(g.Risks, ","))
			}
			if diff := cmp.Diff([]string{"removed /Namespace y namespace-deleted"}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNoList are objects that only look like lists.
func TestNoList(t *testing.T) {
	for _, text := range []string{
		"apiVersion: v1\nkind: List\nmetadata: {name: x}\n", "apiVersion: e.com/v1\nkind: AllowList\nmetadata: {name: x}\nspec: {items: [a]}\n",
		"apiVersion: e.com/v1\nkind: Menu\nmetadata: {name: x}\nitems: [a]\n",
	} {
		f, err := Read(treeOf(t, map[string][]byte{"clusters/a/x.yaml": []byte(text)}), nil)
		if err != nil || f.Objects() != 1 {
			t.Errorf("%d objects, %v in\n%s", f.Objects(), err, text)
		}
	}
}

// TestNoObject names what holds something that is none.
func TestNoObject(t *testing.T) {
	for text, want := range map[string]string{
		listedWork + "    - null\n": "w.yaml: work a/w: manifest 1 is no object (a mapping of fields)",
		listedWork + "    - {apiVersion: v1, kind: Namespace, metadata: {name: x}}\n    - 5\n": "w.yaml: work a/w: manifest 2 is no object (a mapping of fields)",
		"apiVersion: v1\nkind: List\nitems: [ManifestWork]\n":                                  "w.yaml: an item of a list is no object (a mapping of fields)",
	} {
		was, err := Read(treeOf(t, map[string][]byte{"w.yaml": []byte(listedWork + "    - {apiVersion: v1, kind: Namespace, metadata: {name: x}}\n")}), nil)
		if err != nil {
			t.Fatal(err)
		}
		is, err := Read(treeOf(t, map[string][]byte{"w.yaml": []byte(text)}), was)
		if err == nil {
			_, err = Compare(was, is)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
