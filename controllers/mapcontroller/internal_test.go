package mapcontroller

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestBatchCoversParents(t *testing.T) {
	some := live.Batch{Keys: map[string]bool{"a": true}}
	for name, tc := range map[string]struct {
		reason string
		batch  live.Batch
		parent string
		want   bool
	}{
		"All":     {"everything", live.Batch{All: true}, "g/K/b/n", true},
		"Inside":  {"its namespace", some, "g/K/a/n", true},
		"Outside": {"and no other", some, "g/K/b/n", false},
		"Nowhere": {"a parent without a namespace sees all namespaces", some, "g/K//n", true},
		"Broken":  {"an invalid key has no parent", live.Batch{All: true}, "what", false},
	} {
		if got := coversParent(tc.batch, tc.parent); got != tc.want {
			t.Errorf("%s: %s: want %v, got %v", name, tc.reason, tc.want, got)
		}
	}
}

func TestStatusOwners(t *testing.T) {
	a, k, woken := newStatusOwners(), live.Resource{}, map[string]int{}
	claim := func(parent, name string) bool { return a.claim(k, parent, name, func() { woken[name]++ }) }
	for i, step := range []struct {
		name string
		want bool
	}{{"b", true}, {"c", false}, {"b", true}, {"a", true}, {"b", false}} {
		if got := claim("p", step.name); got != step.want {
			t.Errorf("step %d: %s: want %v, got %v", i, step.name, step.want, got)
		}
	}
	a.release("c", nil)
	a.release("a", func(of parentKey) bool { return of.key == "p" })
	if diff := cmp.Diff(map[string]int{}, woken); diff != "" || claim("p", "b") {
		t.Errorf("no claim was released that another waits for, but some are woken (-want +got):\n%s", diff)
	}
	a.release("a", nil)
	if diff := cmp.Diff(map[string]int{"b": 1}, woken); diff != "" {
		t.Errorf("those that wait are woken (-want +got):\n%s", diff)
	}
	if !claim("p", "c") || !claim("q", "d") || !claim("p", "b") {
		t.Error("a released claim cannot be claimed")
	}
}

func TestMemoryOfStates(t *testing.T) {
	m := newMemory()
	large := make([]byte, applyset.MaxAnnotationState+1)
	op := applyset.Operation{Action: applyset.ActionUpdate, Owner: "o", Ref: applyset.Ref{ID: krm.ID{Name: "n"}}, State: large}
	expect := func(reason string, want int) {
		t.Helper()
		if got := len(m.lastKnown("c", "o", "out", op.Ref)); got != want {
			t.Errorf("%s: want %d bytes, got %d", reason, want, got)
		}
	}
	m.applied(op)
	expect("what is too large for an annotation", len(large))
	op.Action = applyset.ActionDelete
	m.applied(op)
	expect("and goes with its output", 0)
	op.Action, op.State = applyset.ActionCreate, large[1:]
	m.applied(op)
	expect("what fits is in the annotation", 0)
}
