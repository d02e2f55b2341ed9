package status

import (
	"cmp"
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// what is written.
type what string

const (
	combinedOf  what = "CombinedStatus"
	conditionOf what = "Binding"
	errorsOf    what = "StatusCollector"
	returnedTo  what = "workload"
)

// task is an object that is to be looked at, and written if need be. Its Resource counts for workload only.
type task struct {
	what
	engine.Target
}

func (t task) compare(b task) int {
	return cmp.Or(cmp.Compare(t.what, b.what), cmp.Compare(t.Group, b.Group), cmp.Compare(t.Version, b.Version),
		cmp.Compare(t.Plural, b.Plural), cmp.Compare(t.Namespace, b.Namespace), cmp.Compare(t.Name, b.Name))
}

// String is for people: `workload deployments shop/web`.
func (t task) String() string {
	name := t.Name
	if t.Namespace != "" {
		name = t.Namespace + "/" + name
	}
	if t.what == returnedTo {
		name = t.Plural + " " + name
	}
	return fmt.Sprintf("%s %s", t.what, name)
}

// action is a write that is due. It runs while the world goes on.
type action struct {
	task
	verb verb
	// run writes, and returns what the API server made of it.
	run func(context.Context) (*unstructured.Unstructured, error)
	// done takes that into the world.
	done func(*unstructured.Unstructured)
}

// plan is what a task comes to; nil when nothing is to be written.
func (w *world) plan(t task, by *writer) (*action, error) {
	switch t.what {
	case combinedOf:
		return w.planCombined(t, by)
	case conditionOf:
		return w.planCondition(t, by)
	case errorsOf:
		return w.planErrors(t, by), nil
	}
	return w.planReturn(t, by), nil
}

func (w *world) planCombined(t task, by *writer) (*action, error) {
	at := engine.Name{Namespace: t.Namespace, Name: t.Name}
	have := w.combined[at]
	want, _ := w.engine.Wanted(at)
	verb, made, err := settle(have, want.Object, have != nil && w.engine.Keeps(have.GetLabels()))
	if err != nil || verb == nothing {
		return nil, err
	}
	return &action{task: t, verb: verb,
		run: func(ctx context.Context) (*unstructured.Unstructured, error) { return by.combined(ctx, verb, made) },
		done: func(now *unstructured.Unstructured) {
			if now != nil && w.combined[at] == have { // what came meanwhile is newer
				w.combined[at] = bare(now)
			}
		}}, nil
}

func (w *world) planCondition(t task, by *writer) (*action, error) {
	have := w.bindings[t.Name]
	if have == nil {
		return nil, nil
	}
	status, err := withCondition(have, w.engine.Condition(t.Name), by.now())
	if err != nil || status == nil {
		return nil, err
	}
	return &action{task: t, verb: update,
		run: func(ctx context.Context) (*unstructured.Unstructured, error) {
			return by.status(ctx, bindings, have, status)
		},
		done: func(now *unstructured.Unstructured) {
			if w.bindings[t.Name] == have {
				w.bindings[t.Name] = bare(now)
			}
		}}, nil
}

func (w *world) planErrors(t task, by *writer) *action {
	have := w.collectors[t.Name]
	if have == nil {
		return nil
	}
	status := withErrors(have, w.engine.CollectorErrors(t.Name))
	if status == nil {
		return nil
	}
	return &action{task: t, verb: update,
		run: func(ctx context.Context) (*unstructured.Unstructured, error) {
			return by.status(ctx, collectors, have, status)
		},
		done: func(now *unstructured.Unstructured) {
			if w.collectors[t.Name] == have {
				w.collectors[t.Name] = bare(now)
			}
		}}
}

// exchange is a status that was written, and what the API server made of it: one that knows the kind drops
// what it does not know, and zeros.
type exchange struct{ wrote, became any }

func (w *world) planReturn(t task, by *writer) *action {
	have, d, changes := w.engine.Return(t.Target)
	if !changes {
		return nil
	}
	last := w.returned[t.Target]
	old := same(have["status"], d.Status) || last.wrote != nil && same(last.wrote, d.Status) && same(last.became, have["status"])
	obj := &unstructured.Unstructured{Object: have}
	if old && sameLabels(obj, d) {
		return nil
	}
	return &action{task: t, verb: update,
		run: func(ctx context.Context) (*unstructured.Unstructured, error) {
			return by.giveBack(ctx, gvr(t.Resource), obj, d, old)
		},
		done: func(now *unstructured.Unstructured) {
			if !old {
				w.returned[t.Target] = exchange{d.Status, now.Object["status"]}
			}
		}}
}

func sameLabels(obj *unstructured.Unstructured, d writeback.Decision) bool {
	return len(labelPatch(obj, d)) == 0
}

// labelPatch is what has to change about the labels of an object.
func labelPatch(obj *unstructured.Unstructured, d writeback.Decision) map[string]any {
	labels, patch := obj.GetLabels(), map[string]any{}
	for _, drop := range d.Drop {
		if _, is := labels[drop]; is {
			patch[drop] = nil
		}
	}
	if d.Label != "" && labels[d.Label] != writeback.LabelValue {
		patch[d.Label] = writeback.LabelValue
	}
	return patch
}
