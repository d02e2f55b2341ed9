package explain

import (
	"strings"
	"testing"
)

// TestLists asks about objects that stand in lists, by the file and line of the list.
func TestLists(t *testing.T) {
	list := "apiVersion: v1\nkind: List\nmetadata: {name: all}\nitems:\n- apiVersion: v1\n  kind: Namespace\n  metadata:\n    name: x\n    labels: {a: b}\n- apiVersion: v1\n  kind: SecretList\n  items:\n  - metadata: {name: y}\n    stringData: {p: hunter2}\n"
	w := rendered(t, "pkg", map[string][]byte{
		"Kptfile":           []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n"),
		"clusters/a/l.yaml": []byte(list),
		"w.yaml": []byte("apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: b\n  name: w\nspec:\n  workload:\n    manifests:\n    - " +
			strings.ReplaceAll(strings.TrimSuffix(list, "\n"), "\n", "\n      ") + "\n"),
	})
	for question, want := range map[string]string{
		"a":                                "a receives 2 objects in 0 works.",
		"b":                                "b receives 2 objects in 1 work.",
		"a/namespace/x#metadata.labels.a":  "read from pkg/clusters/a/l.yaml:9",
		"b/namespace/x#metadata.labels.a":  "read from pkg/w.yaml:17",
		"b/secret/y#stringData.p":          "stringData.p: (hidden)",
		"a/secret/y#stringData.p":          "stringData.p: (hidden)",
		"a/secret/y#metadata.name":         "read from pkg/clusters/a/l.yaml:13",
		"a/namespace/x#metadata.labels.zz": "has no field",
	} {
		if _, text := ask(t, w, question, false); !strings.Contains(text, want) {
			t.Errorf("%s: want %q in\n%s", question, want, text)
		}
	}
}
