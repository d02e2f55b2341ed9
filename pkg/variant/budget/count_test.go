package budget_test

import (
	"fmt"
	"maps"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
)

func newTree(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, text := range files {
		data[p] = []byte(text)
	}
	tree, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// object is a ConfigMap with one value.
func object(name, value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata: {a: " + value + "}\n"
}

// work is a ManifestWork for a cluster with manifests in flow style.
func work(name, cluster, more string, manifests ...string) string {
	text := "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: " + name + ", namespace: " + cluster + "}\nspec:\n" + more + "  workload:\n    manifests:\n"
	for _, m := range manifests {
		text += "    - " + m + "\n"
	}
	return text
}

func manifest(name, value string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {a: " + value + "}}"
}

func TestCount(t *testing.T) {
	const a0, b0 = "clusters/a/p/manifestwork-0.yaml", "clusters/b/p/manifestwork-0.yaml"
	local := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l, annotations: {config.kubernetes.io/local-config: \"true\"}}\ndata: {a: "
	for name, tc := range map[string]struct {
		reason        string
		before, after map[string]string
		want          budget.Change
	}{
		"nothing": {"equal trees differ in nothing", map[string]string{"a.yaml": object("a", "1")}, map[string]string{"a.yaml": object("a", "1")}, budget.Change{}},
		"first": {
			"without anything published all is added", nil, map[string]string{"a.yaml": object("a", "1") + "---\n" + object("b", "1"), "c.json": `{"apiVersion": "v1", "kind": "A", "metadata": {"name": "c"}}`},
			budget.Change{Objects: 3},
		},
		"added, changed, removed": {
			"each is one object, and one of them a deletion", map[string]string{"a.yaml": object("a", "1") + "---\n" + object("b", "1"), "same.yaml": object("s", "1")},
			map[string]string{"a.yaml": object("a", "2") + "---\n" + object("c", "1"), "same.yaml": object("s", "1")}, budget.Change{Objects: 3, Deletions: 1},
		},
		"identity": {
			"another version is another content; another namespace is another object", map[string]string{"a.yaml": "apiVersion: x/v1\nkind: A\nmetadata: {name: a}\n---\n" + object("b, namespace: m", "1")},
			map[string]string{"a.yaml": "apiVersion: x/v2\nkind: A\nmetadata: {name: a}\n---\n" + object("b, namespace: n", "1")}, budget.Change{Objects: 3, Deletions: 1},
		},
		"written otherwise": {
			"comments, order of keys, files and the marks of kpt are no difference", map[string]string{"a.yaml": object("a", "1") + "---\n" + object("b", "1")},
			map[string]string{
				"a.yaml": "# kept\n" + object("b", "1") + "# the end\n",
				"b.yaml": "kind: ConfigMap\napiVersion: v1\ndata:\n  a: 1\nmetadata: # kpt-merge: /a\n  name: a\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'\n    config.kubernetes.io/index: '0'\n",
			}, budget.Change{},
		},
		"copies": {
			"what stands twice counts twice", map[string]string{"a.yaml": object("a", "1") + "---\n" + object("a", "2"), "b.yaml": object("b", "1")},
			map[string]string{"a.yaml": object("a", "2"), "b.yaml": object("b", "1") + "---\n" + object("b", "3")}, budget.Change{Objects: 2, Deletions: 1},
		},
		"package's own": {
			"Kptfiles, local configuration, and what is no object", map[string]string{"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n", "a.yaml": local + "1}\n", "README.md": "a", "values.yaml": "a: 1\n"},
			map[string]string{"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: b}\n", "sub/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: b}\n", "a.yaml": local + "2}\n", "README.md": "b", "values.yaml": "a: 2\n"},
			budget.Change{},
		},
		"made local": {
			"an object that becomes local configuration leaves", map[string]string{"a.yaml": object("l", "1")}, map[string]string{"a.yaml": local + "1}\n"}, budget.Change{Objects: 1, Deletions: 1},
		},
		"unreadable": {
			"text that is no YAML is one object, which may be removed", map[string]string{"a.yaml": "a: b: c\n", "b.yaml": "{{ x }}\n"}, map[string]string{"a.yaml": "a: b: d\n"},
			budget.Change{Objects: 2, Deletions: 1},
		},
		"first works": {
			"manifests count for each cluster, works for none", nil, map[string]string{a0: work("w", "a", "", manifest("m", "1"), manifest("n", "1")), b0: work("w", "b", "", manifest("m", "1"))},
			budget.Change{Clusters: []string{"a", "b"}, Objects: 3},
		},
		"manifests": {
			"only what differs counts, and what leaves a cluster is deleted there", map[string]string{a0: work("w", "a", "", manifest("m", "1"), manifest("n", "1")), b0: work("w", "b", "", manifest("m", "1"))},
			map[string]string{a0: work("w", "a", "", manifest("m", "2")), b0: work("w", "b", "", manifest("m", "1"))}, budget.Change{Clusters: []string{"a"}, Objects: 2, Deletions: 1},
		},
		"another work": {
			"a manifest that another work brings is the same to its cluster, which changes since works are taken away and put there", map[string]string{a0: work("w", "a", "", manifest("m", "1"))},
			map[string]string{a0: work("v", "a", "", manifest("m", "1"))}, budget.Change{Clusters: []string{"a"}},
		},
		"a work's own": {
			"what a work says besides manifests", map[string]string{a0: work("w", "a", "", manifest("m", "1"))}, map[string]string{a0: work("w", "a", "  deleteOption: {propagationPolicy: Orphan}\n", manifest("m", "1"))},
			budget.Change{Clusters: []string{"a"}, Objects: 1},
		},
		"no cluster left": {
			"works that go", map[string]string{a0: work("w", "a", "", manifest("m", "1"), manifest("n", "1")), b0: work("w", "b", "", manifest("m", "1"))}, map[string]string{b0: work("w", "b", "", manifest("m", "1"))},
			budget.Change{Clusters: []string{"a"}, Objects: 2, Deletions: 2},
		},
		"works anywhere": {
			"the namespace of a work is its cluster, wherever the file is", nil, map[string]string{"sub/works.yaml": work("w", "a", "", manifest("m", "1"))}, budget.Change{Clusters: []string{"a"}, Objects: 1},
		},
		"a cluster's folder": {
			"plain objects, and files that only lie there", map[string]string{"clusters/a/a.yaml": object("a", "1"), "clusters/b/notes.txt": "x", "clusters/c/kustomization.yaml": "resources: [a]\n", "clusters/d/a.yaml": object("a", "1"), "clusters/e": "x"},
			map[string]string{"clusters/a/a.yaml": object("a", "2"), "clusters/b/notes.txt": "y", "clusters/c/kustomization.yaml": "resources: []\n", "clusters/d/a.yaml": "# same\n" + object("a", "1"), "clusters/e": "y"},
			budget.Change{Clusters: []string{"a", "b", "c"}, Objects: 1},
		},
		"moved between clusters": {
			"it leaves one and comes to the other", map[string]string{"clusters/a/a.yaml": object("a", "1")}, map[string]string{"clusters/b/a.yaml": object("a", "1")},
			budget.Change{Clusters: []string{"a", "b"}, Objects: 2, Deletions: 1},
		},
		"odd works": {
			"what is no manifest belongs to the work", map[string]string{a0: "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: w}\nspec: {workload: {manifests: 1}}\n"},
			map[string]string{a0: "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: w}\nspec: {workload: {manifests: 2}}\n"}, budget.Change{Clusters: []string{"a"}, Objects: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := newTree(t, tc.before), newTree(t, tc.after)
			if diff := cmp.Diff(tc.want, budget.Count(before, after)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkCountLaws(t, before, after)
			commented := maps.Clone(tc.after)
			for p, text := range commented {
				if path.Ext(p) == ".yaml" && name != "unreadable" {
					commented[p] = "# a comment\n" + text
				}
			}
			if diff := cmp.Diff(tc.want, budget.Count(before, newTree(t, commented))); diff != "" {
				t.Errorf("a comment is no difference (-want +got):\n%s", diff)
			}
		})
	}
}

// checkCountLaws checks what holds for any two trees.
func checkCountLaws(t *testing.T, before, after pkgtree.Tree) {
	t.Helper()
	there, back := budget.Count(before, after), budget.Count(after, before)
	if there.Deletions > there.Objects {
		t.Errorf("more deletions than objects: %+v", there)
	}
	if diff := cmp.Diff(there.Clusters, back.Clusters); diff != "" || there.Objects != back.Objects {
		t.Errorf("the way back changes as much: %+v and %+v", there, back)
	}
	for _, tree := range []pkgtree.Tree{before, after} {
		if same := budget.Count(tree, tree); !same.IsZero() {
			t.Errorf("a tree differs from itself by %+v", same)
		}
		if all := budget.Count(tree, pkgtree.Tree{}); all.Deletions != all.Objects {
			t.Errorf("where nothing is left all is deleted: %+v", all)
		}
	}
}

func FuzzCount(f *testing.F) {
	f.Add(object("a", "1"), object("a", "2")+"---\n"+object("a", "1"))
	f.Add(work("w", "a", "", manifest("m", "1")), work("w", "b", "", manifest("m", "2"), "1", "[]", "~"))
	f.Add("a: &x {b: .nan}\n---\n"+object("a", ".nan"), object("a", ".inf")+"---\n"+object("a", ".nan"))
	f.Add("metadata: {annotations: &a {internal.kpt.dev/x: y}}\nspec: *a\n", "spec: &w {workload: {manifests: [*w]}}\n")
	f.Add("kind: ManifestWork\napiVersion: work.open-cluster-management.io/v1\nspec: &s {workload: &m {manifests: [{a: b}]}, x: *m}\n", "{{ no yaml }}")
	f.Fuzz(func(t *testing.T, before, after string) {
		checkCountLaws(t, newTree(t, map[string]string{"clusters/a/x.yaml": before, "y.yaml": after}), newTree(t, map[string]string{"clusters/a/x.yaml": after, "y.yaml": before}))
	})
}

// BenchmarkCount counts the first draft of a package of 20 objects, an update of one of them, and
// works for 100 clusters in which one of ten manifests changes.
func BenchmarkCount(b *testing.B) {
	apps, works, worksAfter := map[string]string{}, map[string]string{}, map[string]string{}
	for i := range 20 {
		apps[fmt.Sprintf("f%d.yaml", i)] = object(fmt.Sprintf("o%d", i), "1")
	}
	updated := maps.Clone(apps)
	updated["f3.yaml"] = object("o3", "2")
	for i := range 100 {
		c := fmt.Sprintf("c%d", i)
		var was, is []string
		for j := range 10 {
			was, is = append(was, manifest(fmt.Sprintf("m%d", j), "1")), append(is, manifest(fmt.Sprintf("m%d", j), fmt.Sprint(min(j, 1))))
		}
		works["clusters/"+c+"/w.yaml"], worksAfter["clusters/"+c+"/w.yaml"] = work("w", c, "", was...), work("w", c, "", is...)
	}
	for name, bc := range map[string]struct {
		before, after map[string]string
		want          int
	}{"first": {nil, apps, 20}, "update": {apps, updated, 1}, "works": {works, worksAfter, 100}} {
		b.Run(name, func(b *testing.B) {
			before, after := newTree(b, bc.before), newTree(b, bc.after)
			if got := budget.Count(before, after).Objects; got != bc.want {
				b.Fatalf("%d objects, want %d", got, bc.want)
			}
			b.ReportAllocs()
			for b.Loop() {
				budget.Count(before, after)
			}
		})
	}
}
