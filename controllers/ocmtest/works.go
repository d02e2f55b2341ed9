package ocmtest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	workv1 "open-cluster-management.io/api/work/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Works are the works that the hub has for a cluster.
func (m *Member) Works(t testing.TB) (works []*unstructured.Unstructured) {
	t.Helper()
	for _, w := range m.list(t) {
		o, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&w)
		if err != nil {
			t.Fatal(err)
		}
		works = append(works, &unstructured.Unstructured{Object: o})
	}
	return works
}

func (m *Member) list(t testing.TB) []workv1.ManifestWork {
	t.Helper()
	list := &workv1.ManifestWorkList{}
	if err := m.hub.Client.List(t.Context(), list, client.InNamespace(m.Name)); err != nil {
		t.Fatalf("list the works of cluster %q: %v", m.Name, err)
	}
	return list.Items
}

// AwaitApplied waits until every work that the hub has for the cluster is applied as it is now, and none is being deleted.
func (m *Member) AwaitApplied(t testing.TB) {
	t.Helper()
	var stuck []string
	for began := time.Now(); time.Since(began) < stepTimeout; time.Sleep(50 * time.Millisecond) {
		if stuck = m.stuck(t); len(stuck) == 0 {
			return
		}
	}
	t.Fatalf("cluster %q: after %s these are not applied:\n%s\nagent's log:\n%s", m.Name, stepTimeout, strings.Join(stuck, "\n"),
		m.agent.Log())
}

// stuck lists what of the cluster's works is not applied.
func (m *Member) stuck(t testing.TB) (lines []string) {
	t.Helper()
	for _, work := range m.list(t) {
		if !seen(&work) || work.DeletionTimestamp != nil {
			lines = append(lines, "work "+work.Name)
		}
		lines = append(lines, failed(&work)...)
	}
	slices.Sort(lines)
	return lines
}
