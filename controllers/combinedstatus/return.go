package combinedstatus

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// exchange is a status that was written, and what the API server made of it: one that knows the kind drops
// what it does not know, and zeros.
type exchange struct{ wrote, became any }

// refusal is a status that the API server found invalid, for an object as it was.
type refusal struct {
	wanted, had any
	generation  int64
}

// stands reports whether nothing has changed on either side.
func (r refusal) stands(obj *unstructured.Unstructured, d writeback.Decision) bool {
	return r.wanted != nil && same(r.wanted, d.Status) && same(r.had, obj.Object["status"]) && r.generation == obj.GetGeneration()
}

// planReturn gives an object the status that is due. What was refused stands under the label that it had:
// the new one is not given before the API server would take the status with it.
func (w *world) planReturn(t task, by *writer) *action {
	have, d, changes := w.engine.Return(t.Target)
	if !changes {
		return nil
	}
	obj := &unstructured.Unstructured{Object: have}
	old := w.isThere(t.Target, obj, d)
	if old && sameLabels(obj, d) || w.refused[t.Target].stands(obj, d) {
		return nil
	}
	var states []*unstructured.Unstructured
	return &action{task: t, verb: update,
		run: func(ctx context.Context) (now *unstructured.Unstructured, err error) {
			states, err = by.giveBack(ctx, gvr(t.Resource), obj, d, old)
			return states[len(states)-1], err
		},
		done: func(now *unstructured.Unstructured) {
			delete(w.refused, t.Target)
			if !old {
				w.returned[t.Target] = exchange{d.Status, now.Object["status"]}
			}
			w.takeBack(t.Target, states)
		},
		refused: func() (help string) {
			w.refused[t.Target] = refusal{d.Status, obj.Object["status"], obj.GetGeneration()}
			if d.Outcome == writeback.Aggregate {
				return "a counter that a cluster leaves out is ignored; with --status-strict-counters it counts as 0"
			}
			return ""
		}}
}

// takeBack takes in what became of an object, unless something newer came meanwhile.
func (w *world) takeBack(t engine.Target, states []*unstructured.Unstructured) {
	for _, s := range states {
		if s.GetResourceVersion() == w.engine.Version(t) {
			w.engine.PutObject(t.Resource, bare(states[len(states)-1]).Object)
			return
		}
	}
}

// isThere reports whether an object has the status that is due: the very one, or what the API server made of
// it; of what was not written by us since we began, what one may make of it that knows the kind.
func (w *world) isThere(t engine.Target, obj *unstructured.Unstructured, d writeback.Decision) bool {
	there, last := obj.Object["status"], w.returned[t]
	return same(there, d.Status) ||
		last.wrote != nil && same(last.wrote, d.Status) && same(last.became, there) ||
		last.wrote == nil && d.Label != "" && sameLabels(obj, d) && builtIn(t.Group) && sameButEmpty(there, d.Status)
}

// builtIn reports whether API servers know the kinds of a group by themselves: groups of others have a dot.
func builtIn(group string) bool { return !strings.Contains(group, ".") }

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
