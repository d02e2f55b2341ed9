package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// newQueue has large Deployments that 20 clusters report about and three collectors ask about, and one, small,
// about which one asks for one cluster.
func newQueue(t testing.TB, large ...string) *engine.Engine {
	t.Helper()
	e := engine.New(engine.Options{})
	e.SetKind(deployments, "Deployment")
	for i, c := range []string{"a", "b", "c"} {
		made := anyCollector().Example(i)
		made.Name, made.Spec = c, control.StatusCollectorSpec{Limit: made.Spec.Limit, CombinedFields: []control.CombinedField{{Name: "n", Type: "COUNT"}}, Filter: &has}
		e.PutCollector(made)
	}
	for _, name := range large {
		b := &engine.Binding{Name: name, PolicyUID: name, Objects: []engine.BoundObject{{ObjectRef: target(name), Collectors: []string{"a", "b", "c"}}}}
		for i := range 20 {
			b.Destinations = append(b.Destinations, fmt.Sprintf("e%02d", i))
		}
		e.PutBinding(b)
	}
	e.PutBinding(&engine.Binding{Name: "small", PolicyUID: "small", Destinations: []string{"e00"}, Objects: []engine.BoundObject{{ObjectRef: target("small"), Collectors: []string{"a"}}}})
	e.Reindex()
	return e
}

var has = "has(returned.status.readyReplicas)"

func target(name string) engine.ObjectRef {
	return engine.ObjectRef{GroupVersionResource: deployments, Namespace: "shop", Name: name}
}

// call evaluates a number of steps.
func call(t testing.TB, e *engine.Engine, steps int) (left bool) {
	t.Helper()
	left, err := e.Evaluate(t.Context(), func(engine.Step) bool { steps--; return steps > 0 })
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// TestFairness has many objects for each of which one call is not enough, and one for which it is: that one
// does not wait for them, and they do not wait for it.
func TestFairness(t *testing.T) {
	large := []string{"l1", "l2", "l3", "l4", "l5"}
	e := newQueue(t, large...)
	calls := 0
	for ; len(e.Names()) == 0; calls++ {
		call(t, e, 5)
	}
	if most := 2 * (len(large) + 1); calls > most || e.Waiting() != len(large) {
		t.Errorf("at the start each has its turn: want it after %d calls at most, got %d; %d wait", most, calls, e.Waiting())
	}
	reports := 0
	for calls = 0; e.Waiting() > 0; calls++ {
		put := calls%3 == 0
		if put {
			reports++
			putAbout(t, e, "small", "e00", reports%2 == 1)
			e.Changes()
		}
		left := call(t, e, 5)
		if calls%3 == 2 && len(e.Changes().Combined) == 0 {
			t.Errorf("call %d: a report does not show", calls)
		}
		if left != (e.Waiting() > 0) || calls > 10*60 {
			t.Fatalf("left: %t, waiting: %d after %d calls", left, e.Waiting(), calls)
		}
	}
	if most := 2 * len(large) * 60 / 4; calls > most {
		t.Errorf("want all to be done after %d calls, not %d", most, calls)
	}
	if len(e.Names()) != len(large)+1 {
		t.Errorf("want a result for all, got %v", e.Names())
	}
}

// TestChangesBetweenCalls changes something after the first rows of a large object: what changed counts, the rest
// is not evaluated again, and what no Binding asks about any more is not evaluated at all.
func TestChangesBetweenCalls(t *testing.T) {
	end := func(e *engine.Engine) int {
		e.Reindex()
		for call(t, e, 3) {
			e.Reindex()
		}
		return e.Changes().Rows
	}
	cases := map[string]struct {
		reason string
		change func(e *engine.Engine)
		rows   int
	}{
		"nothing":         {"all is done once", func(*engine.Engine) {}, 61},
		"evaluated":       {"a row that was evaluated is again", func(e *engine.Engine) { putIn(t, e, "e03") }, 62},
		"to be evaluated": {"the others are due", func(e *engine.Engine) { putIn(t, e, "e15") }, 61},
		"collector":       {"it goes, evaluated or not", func(e *engine.Engine) { e.DeleteCollector("a") }, 50},
		"object": {"no row is worth anything", func(e *engine.Engine) {
			e.PutObject(deployments, m{"metadata": m{"namespace": "shop", "name": "large"}})
		}, 70},
		"binding":      {"no Binding requests it", func(e *engine.Engine) { e.DeleteBinding("large") }, 10},
		"destinations": {"one that was evaluated, and one that was not, are none any more", fewer, 56},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			e := newQueue(t, "large")
			call(t, e, 9) // nine rows of the first collector, then all about the small object
			if !call(t, e, 2) {
				t.Fatal("it is done at once")
			}
			tc.change(e)
			if rows := end(e); rows != tc.rows {
				t.Errorf("%s: want %d rows, got %d", tc.reason, tc.rows, rows)
			}
			if waiting := e.Waiting(); waiting != 0 {
				t.Errorf("%d wait", waiting)
			}
		})
	}
}

// fewer takes e03 and e15 from the destinations.
func fewer(e *engine.Engine) {
	b := &engine.Binding{Name: "large", PolicyUID: "large", Objects: []engine.BoundObject{{ObjectRef: target("large"), Collectors: []string{"a", "b", "c"}}}}
	for i := range 20 {
		if i != 3 && i != 15 {
			b.Destinations = append(b.Destinations, fmt.Sprintf("e%02d", i))
		}
	}
	e.PutBinding(b)
}

// putIn has a cluster report about the large object.
func putIn(t testing.TB, e *engine.Engine, cluster string) { putAbout(t, e, "large", cluster, true) }

func putAbout(t testing.TB, e *engine.Engine, name, cluster string, ready bool) {
	t.Helper()
	status := m{}
	if ready {
		status["readyReplicas"] = int64(1)
	}
	if err := e.PutReport(m{
		"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "WorkStatus", "metadata": m{"namespace": cluster, "name": name},
		"spec":   m{"sourceRef": m{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": name}},
		"status": status,
	}); err != nil {
		t.Fatal(err)
	}
}

// TestEvaluateEnds has the context end.
func TestEvaluateEnds(t *testing.T) {
	e := newQueue(t, "large")
	ctx, cancel := context.WithCancel(t.Context())
	left, err := e.Evaluate(ctx, func(engine.Step) bool { cancel(); return true })
	if !left || !errors.Is(err, context.Canceled) {
		t.Errorf("left: %t, %v", left, err)
	}
	if c, err := e.Refresh(t.Context()); err != nil || len(c.Combined) != 2 || c.Rows != 61 {
		t.Errorf("want the rest, got %+v, %v", c, err)
	}
}

// TestConflicts has two Bindings of one policy ask about one object: whichever came first, and whatever else
// there was in between, the first by name has the result.
func TestConflicts(t *testing.T) {
	object := m{"metadata": m{"namespace": "shop", "name": "web", "uid": "u"}}
	bind := func(name string) func(e *engine.Engine) {
		return func(e *engine.Engine) {
			e.PutBinding(&engine.Binding{Name: name, PolicyUID: "one", Objects: []engine.BoundObject{{ObjectRef: target("web"), Collectors: []string{"a"}}}})
		}
	}
	a, b, c := bind("a"), bind("b"), bind("c")
	gone := func(e *engine.Engine) { e.DeleteBinding("c") }
	for name, history := range map[string][]func(*engine.Engine){
		"in order": {a, b}, "the other way": {b, a}, "with one that goes": {c, b, a, gone}, "one after the other": {b, c, gone, a},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine.New(engine.Options{})
			e.SetKind(deployments, "Deployment")
			e.PutObject(deployments, object)
			for _, step := range history {
				step(e)
				if _, err := e.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			w, _ := e.Desired(types.NamespacedName{Namespace: "shop", Name: "u.one"})
			if got := fmt.Sprint(len(e.Names()), w.Object.Labels["status.kubestellar.io/binding-policy"], w.Conflicts); got != "1a[b]" {
				t.Errorf("got %s", got)
			}
			e.DeleteBinding("a")
			changes, err := e.Refresh(t.Context())
			w, _ = e.Desired(types.NamespacedName{Namespace: "shop", Name: "u.one"})
			if got := fmt.Sprint(changes.Combined, w.Object.Labels["status.kubestellar.io/binding-policy"], w.Conflicts, err); got != "[shop/u.one]b[] <nil>" {
				t.Errorf("then it is the other's: got %s", got)
			}
		})
	}
}

// TestForeignReports counts what reports about another workload space.
func TestForeignReports(t *testing.T) {
	e := engine.New(engine.Options{WDS: "here"})
	put := func(name string, labels m) {
		t.Helper()
		if err := e.PutReport(m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "WorkStatus", "metadata": m{"namespace": "e1", "name": name, "labels": labels},
			"spec": m{"sourceRef": m{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": "web"}}}); err != nil {
			t.Fatal(err)
		}
	}
	const label = "transport.kubestellar.io/originWdsName"
	put("a", m{label: "here"})
	put("b", m{label: "there"})
	put("c", m{})
	put("b", m{label: "elsewhere"})
	if got := fmt.Sprint(e.ForeignReports(), e.Reports(), e.Warnings()); e.ForeignReports() != 1 || e.Reports() != 3 || len(e.Warnings()) != 1 {
		t.Errorf("want one elsewhere and a warning about the others, got %s", got)
	}
	put("b", m{label: "here"})
	put("a", m{label: "there"})
	if e.ForeignReports() != 1 {
		t.Errorf("want another one, got %d", e.ForeignReports())
	}
	put("b", nil)
	e.PutReport(m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "WorkStatus", "metadata": m{"namespace": "e1", "name": "a", "labels": m{label: "here"}}, "spec": "odd"})
	if e.ForeignReports() != 0 || e.Reports() != 2 {
		t.Errorf("want none, of two, got %d of %d", e.ForeignReports(), e.Reports())
	}
}
