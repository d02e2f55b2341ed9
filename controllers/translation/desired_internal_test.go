package translation

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// TestDesired has Translations in every state. An unreadable one may request anything, and one that waits after a permanent
// failure still requests what it says: neither may lose what another no longer requests.
func TestDesired(t *testing.T) {
	chain := map[string]any{"kind": "Chain", "body": "{}"}
	resources := []table.Resource{{Kind: "Chain", Body: "{}"}}
	deleting := func(o *observed) *observed {
		now := metav1.Now()
		o.object.SetDeletionTimestamp(&now)
		o.deleting = true
		return o
	}
	now := func(name string, resources any) *observed {
		o := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"namespace": "a", "name": name}, "resources": resources}}
		return &observed{object: o}
	}
	have := snapshot{
		"a/good": now("good", []any{chain}), "a/empty": now("empty", nil), "a/failed": now("failed", []any{chain}),
		"a/list": now("list", "text"), "a/item": now("item", []any{chain, "text"}), "a/body": now("body", []any{map[string]any{"kind": "Chain", "body": map[string]any{}}}),
		"a/going": deleting(now("going", "text")), "a/stuck": deleting(now("stuck", []any{chain})),
	}
	r := &reconciler{permanent: map[string]permanentFailure{}}
	for _, key := range []string{"a/failed", "a/stuck", "b/gone"} {
		r.permanent[key] = permanentFailure{have[key].version(), time.Now().Add(time.Hour)}
	}
	w := &round{r: r, snapshot: have, orphans: map[string]bool{"b/gone": false, "b/lost": false, "c/elsewhere": true}, kept: map[string]bool{}, results: map[string]*result{}}
	want := []plan.Translation{
		{Namespace: "a", Name: "body", Keep: true, Unreadable: true},
		{Namespace: "a", Name: "empty"},
		{Namespace: "a", Name: "failed", Resources: resources, Keep: true},
		{Namespace: "a", Name: "good", Resources: resources},
		{Namespace: "a", Name: "item", Resources: resources, Keep: true, Unreadable: true},
		{Namespace: "a", Name: "list", Keep: true, Unreadable: true},
		{Namespace: "a", Name: "stuck", Keep: true},
		{Namespace: "b", Name: "gone", Keep: true},
		{Namespace: "c", Name: "elsewhere", Keep: true},
	}
	byKey := cmpopts.SortSlices(func(a, b plan.Translation) bool { return a.Key() < b.Key() })
	if diff := cmp.Diff(want, w.desired(), byKey); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for key, says := range map[string]string{"a/list": "resources: want a list", "a/item": "resources[1]: want a map", "a/body": "resources[0].body: want text"} {
		if got := w.result(key).failure; got != says {
			t.Errorf("%s: %q, want %q", key, got, says)
		}
	}
}
