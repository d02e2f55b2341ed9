package ocmtest

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Identities are the uids of all objects that works ever brought to a cluster.
type Identities struct {
	member *Member
	uids   map[manifest]string
}

// Identities knows no objects yet.
func (m *Member) Identities() *Identities { return &Identities{member: m, uids: map[manifest]string{}} }

// Changes are the objects of a cluster since the last time, sorted: those with the uid that they had, those for the first time, those that
// are not there any more, and those with another uid, which were deleted and created.
type Changes struct{ Kept, New, Gone, Recreated []string }

// Compare looks up the objects that works have for the cluster, which must be there, and those that earlier works had.
func (i *Identities) Compare(t testing.TB, works []*unstructured.Unstructured) (c Changes) {
	t.Helper()
	sent := manifests(t, i.member.Name, works)
	for m := range sent {
		if _, known := i.uids[m]; !known {
			i.uids[m] = ""
		}
	}
	for m, before := range i.uids {
		now := ""
		if o := i.member.Get(t, m.apiVersion, m.kind, m.namespace, m.name); o != nil {
			now = string(o.GetUID())
		}
		switch i.uids[m] = now; {
		case now == "" && sent[m]:
			t.Errorf("cluster %q: %s is not there", i.member.Name, m)
		case now == "":
			c.Gone = append(c.Gone, m.String())
			delete(i.uids, m)
		case before == "":
			c.New = append(c.New, m.String())
		case before == now:
			c.Kept = append(c.Kept, m.String())
		default:
			c.Recreated = append(c.Recreated, m.String())
		}
	}
	c.sort()
	return c
}

func (c Changes) sort() {
	for _, names := range [][]string{c.Kept, c.New, c.Gone, c.Recreated} {
		slices.Sort(names)
	}
}

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
