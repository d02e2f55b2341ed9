package ocmtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	workv1 "open-cluster-management.io/api/work/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// GitOps is an agent that makes the hub hold the works of a tree, as Flux and Argo CD do. Each test has its own.
type GitOps struct {
	hub  *Hub
	held map[types.NamespacedName]*unstructured.Unstructured // applied by us
	gone map[types.NamespacedName]*unstructured.Unstructured // deleted by us
}

// GitOps is a new agent, without works.
func (h *Hub) GitOps() *GitOps {
	return &GitOps{hub: h, held: map[types.NamespacedName]*unstructured.Unstructured{},
		gone: map[types.NamespacedName]*unstructured.Unstructured{}}
}

// Push applies all works that changed since the last push, server-side, and then deletes those of earlier pushes that are
// not among them. The hub gives a work a new generation even when nothing changed in it, and the agent does not act on that.
func (g *GitOps) Push(t testing.TB, works ...*unstructured.Unstructured) {
	t.Helper()
	left := g.held
	g.held = map[types.NamespacedName]*unstructured.Unstructured{}
	for _, w := range works {
		key := client.ObjectKeyFromObject(w)
		if before := left[key]; before == nil || !equality.Semantic.DeepEqual(before.Object, w.Object) {
			if err := g.hub.Apply(t, w); err != nil {
				t.Fatalf("apply work %s/%s: %v", w.GetNamespace(), w.GetName(), err)
			}
		}
		g.held[key] = w
		delete(left, key)
		delete(g.gone, key)
	}
	for key, w := range left {
		if err := client.IgnoreNotFound(g.hub.Client.Delete(t.Context(), w)); err != nil {
			t.Fatalf("delete work %s: %v", key, err)
		}
		g.gone[key] = w
	}
}

// Apply applies one work server-side, as the owner of all its fields.
func (h *Hub) Apply(t testing.TB, w *unstructured.Unstructured) error {
	t.Helper()
	data, err := w.MarshalJSON()
	if err != nil {
		return err
	}
	return h.Client.Patch(t.Context(), w.DeepCopy(), client.RawPatch(types.ApplyPatchType, data), client.FieldOwner("gitops"),
		client.ForceOwnership)
}

// Settle waits until the agents have acted on everything that was pushed: each work as it is now is applied or has failed,
// and deleted works are gone. It returns what could not be applied, sorted.
func (g *GitOps) Settle(t testing.TB) (failures []string) {
	t.Helper()
	var waiting []string
	for began := time.Now(); time.Since(began) < stepTimeout; time.Sleep(50 * time.Millisecond) {
		if failures, waiting = g.read(t); len(waiting) == 0 {
			return failures
		}
	}
	t.Fatalf("after %s no agent has acted on: %s", stepTimeout, strings.Join(waiting, ", "))
	return nil
}

// Converge waits until everything that was pushed is applied.
func (g *GitOps) Converge(t testing.TB) {
	t.Helper()
	var failures []string
	for began := time.Now(); time.Since(began) < stepTimeout; time.Sleep(50 * time.Millisecond) {
		if failures = g.Settle(t); len(failures) == 0 {
			return
		}
	}
	t.Fatalf("after %s these are not applied:\n%s", stepTimeout, strings.Join(failures, "\n"))
}

// read reads all pushed works from the hub.
func (g *GitOps) read(t testing.TB) (failures, waiting []string) {
	t.Helper()
	for key := range g.held {
		work := &workv1.ManifestWork{}
		if err := g.hub.Client.Get(t.Context(), key, work); err != nil {
			t.Fatalf("get work %s: %v", key, err)
		}
		if !seen(work) {
			waiting = append(waiting, key.String())
		}
		failures = append(failures, failed(work)...)
	}
	for key := range g.gone {
		if err := g.hub.Client.Get(t.Context(), key, &workv1.ManifestWork{}); err == nil {
			waiting = append(waiting, key.String()+" (deleted)")
		} else if client.IgnoreNotFound(err) != nil {
			t.Fatalf("get work %s: %v", key, err)
		}
	}
	slices.Sort(failures)
	return failures, waiting
}

// seen reports whether the agent has acted on a work as it is now.
func seen(work *workv1.ManifestWork) bool {
	applied := meta.FindStatusCondition(work.Status.Conditions, workv1.WorkApplied)
	return applied != nil && applied.ObservedGeneration == work.Generation
}

// failed lists the manifests of a work that its agent could not apply.
func failed(work *workv1.ManifestWork) (lines []string) {
	for _, m := range work.Status.ResourceStatus.Manifests {
		if c := meta.FindStatusCondition(m.Conditions, workv1.ManifestApplied); c != nil && c.Status != "True" {
			lines = append(lines, fmt.Sprintf("%s %s/%s: %s", m.ResourceMeta.Kind, m.ResourceMeta.Namespace, m.ResourceMeta.Name, c.Message))
		}
	}
	return lines
}
