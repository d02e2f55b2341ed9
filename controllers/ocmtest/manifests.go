package ocmtest

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// manifest names an object of a work.
type manifest struct{ apiVersion, kind, namespace, name string }

// String is the kind, and the name with the namespace if there is one.
func (m manifest) String() string {
	return m.kind + " " + strings.TrimPrefix(m.namespace+"/"+m.name, "/")
}

// manifests are those that works have for a cluster.
func manifests(t testing.TB, cluster string, works []*unstructured.Unstructured) map[manifest]bool {
	t.Helper()
	found := map[manifest]bool{}
	for _, w := range works {
		if w.GetNamespace() != cluster {
			continue
		}
		list, _, err := unstructured.NestedSlice(w.Object, "spec", "workload", "manifests")
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range list {
			o := &unstructured.Unstructured{Object: item.(map[string]any)}
			found[manifest{o.GetAPIVersion(), o.GetKind(), o.GetNamespace(), o.GetName()}] = true
		}
	}
	return found
}

func (c Changes) sort() {
	for _, names := range [][]string{c.Kept, c.New, c.Gone, c.Recreated} {
		slices.Sort(names)
	}
}
