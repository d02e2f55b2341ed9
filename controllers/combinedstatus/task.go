package combinedstatus

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
)

// what is written.
type what string

const (
	combinedOf  what = "CombinedStatus"
	conditionOf what = "Binding"
	errorsOf    what = "StatusCollector"
	policyOf    what = "BindingPolicy"
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
	// refused, if there is one, takes in that the API server finds it invalid, and says what may help, if
	// anything. It is not tried again before something changes.
	refused func() (help string)
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
	case policyOf:
		return w.planPolicy(t, by), nil
	}
	return w.planReturn(t, by), nil
}

func (w *world) planCombined(t task, by *writer) (*action, error) {
	at := engine.Name{Namespace: t.Namespace, Name: t.Name}
	have := w.combined[at]
	want, _ := w.engine.Wanted(at)
	verb, made, err := settle(have, want.Object, have != nil && w.keeps(at, have))
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

// keeps reports whether nothing is decided yet about a CombinedStatus. When it is, that is looked at again.
func (w *world) keeps(at engine.Name, have *unstructured.Unstructured) bool {
	about := engine.AboutOf(have.GetLabels())
	keeps := w.engine.Keeps(about)
	if keeps && !slices.Contains(w.kept[about], at) {
		w.kept[about] = append(w.kept[about], at)
	}
	return keeps
}

func (w *world) planCondition(t task, by *writer) (*action, error) {
	have := w.bindings[t.Name]
	if have == nil || w.unreadable[t.Name] {
		return nil, nil
	}
	status, err := withCondition(have, w.engine.Condition(t.Name), by.now())
	return statusAction(t, by, bindings, w.bindings, status), err
}

func (w *world) planErrors(t task, by *writer) *action {
	have := w.collectors[t.Name]
	if have == nil {
		return nil
	}
	errs := w.engine.CollectorErrors(t.Name)
	if why := w.undecodable[t.Name]; why != "" {
		errs = []string{why}
	}
	return statusAction(t, by, collectors, w.collectors, withErrors(have, errs))
}

func (w *world) planPolicy(t task, by *writer) *action {
	have := w.policies[t.Name]
	if have == nil {
		return nil
	}
	text, sure := w.engine.PolicyError(t.Name)
	return statusAction(t, by, policies, w.policies, withPolicyError(have, text, sure))
}

// statusAction writes fields of the status of one of the objects that are known of a kind; nil for no fields.
func statusAction(
	t task, by *writer, of schema.GroupVersionResource, known map[string]*unstructured.Unstructured, status map[string]any,
) *action {
	have := known[t.Name]
	if status == nil {
		return nil
	}
	return &action{task: t, verb: update,
		run: func(ctx context.Context) (*unstructured.Unstructured, error) { return by.status(ctx, of, have, status) },
		done: func(now *unstructured.Unstructured) {
			if known[t.Name] == have { // what came meanwhile is newer
				known[t.Name] = bare(now)
			}
		}}
}
