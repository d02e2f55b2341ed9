package mapping

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestAgenda(t *testing.T) {
	a := newAgenda()
	expect := func(reason string, want string) {
		t.Helper()
		s, is, wait := a.take()
		got := "nothing"
		switch {
		case is && s.all:
			got = "all"
		case is:
			got = fmt.Sprint(slices.Sorted(maps.Keys(s.namespaces)))
		case wait > 0:
			got = "later"
		}
		if got != want {
			t.Errorf("%s: want %s, got %s", reason, want, got)
		}
	}
	expect("a new one begins with everything", "all")
	expect("once", "nothing")
	a.around("b")
	a.around("a")
	a.after(time.Hour, "c")
	expect("what changed", "[a b]")
	expect("the rest is due later", "later")
	a.after(-1, "c")
	expect("or earlier", "[c]")
	a.around("a")
	a.around("")
	expect("what is in no namespace concerns all", "all")
	a.after(time.Hour, "")
	a.everything()
	expect("everything", "all")
	expect("what was due later was done with it", "nothing")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, is := a.await(ctx); is {
		t.Error("it went on after the end")
	}
}

func TestScope(t *testing.T) {
	some := scope{namespaces: map[string]bool{"a": true}}
	for name, tc := range map[string]struct {
		reason string
		scope  scope
		parent string
		want   bool
	}{
		"All":     {"everything", scope{all: true}, "g/K/b/n", true},
		"Inside":  {"its namespace", some, "g/K/a/n", true},
		"Outside": {"and no other", some, "g/K/b/n", false},
		"Nowhere": {"who is in no namespace sees all", some, "g/K//n", true},
		"Broken":  {"what is no key is nobody's", scope{all: true}, "what", false},
	} {
		if got := tc.scope.coversParent(tc.parent); got != tc.want {
			t.Errorf("%s: %s: want %v, got %v", name, tc.reason, tc.want, got)
		}
	}
}

func TestAuthors(t *testing.T) {
	a, k, woken := newAuthors(), kind{}, map[string]int{}
	claim := func(parent, name string) bool { return a.claim(k, parent, name, func() { woken[name]++ }) }
	for i, step := range []struct {
		name string
		want bool
	}{{"b", true}, {"c", false}, {"b", true}, {"a", true}, {"b", false}} {
		if got := claim("p", step.name); got != step.want {
			t.Errorf("step %d: %s: want %v, got %v", i, step.name, step.want, got)
		}
	}
	a.release("c", all)
	a.release("a", func(at paper) bool { return at.parent == "p" })
	if diff := cmp.Diff(map[string]int{}, woken); diff != "" || claim("p", "b") {
		t.Errorf("nothing was given up that anybody waits for, but some are woken (-want +got):\n%s", diff)
	}
	a.release("a", all)
	if diff := cmp.Diff(map[string]int{"b": 1}, woken); diff != "" {
		t.Errorf("who waits is told (-want +got):\n%s", diff)
	}
	if !claim("p", "c") || !claim("q", "d") || !claim("p", "b") {
		t.Error("what was given up cannot be had")
	}
}

func TestMemoryOfStates(t *testing.T) {
	m := newMemory()
	large := make([]byte, correspond.MaxAnnotationState+1)
	op := correspond.Operation{Action: correspond.ActionUpdate, Owner: "o", Ref: correspond.Ref{ID: krm.ID{Name: "n"}}, State: large}
	expect := func(reason string, want int) {
		t.Helper()
		if got := len(m.lastKnown("c", "o", "out", op.Ref)); got != want {
			t.Errorf("%s: want %d bytes, got %d", reason, want, got)
		}
	}
	m.applied(op)
	expect("what is too large for an annotation", len(large))
	op.Action = correspond.ActionDelete
	m.applied(op)
	expect("and goes with its output", 0)
	op.Action, op.State = correspond.ActionCreate, large[1:]
	m.applied(op)
	expect("what fits is in the annotation", 0)
}
