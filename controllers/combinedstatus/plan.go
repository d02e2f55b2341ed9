package combinedstatus

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// target is what sort of object is written.
type target string

const (
	targetCombinedStatus target = "CombinedStatus"
	targetBinding        target = "Binding"
	targetCollector      target = "StatusCollector"
	targetPolicy         target = "BindingPolicy"
	targetWorkload       target = "workload"
)

// request asks to compare an object with what it should be. Its GroupVersionResource is set for workload only.
type request struct {
	target target
	engine.ObjectRef
}

func (r request) compare(b request) int {
	return cmp.Or(cmp.Compare(r.target, b.target), r.ObjectRef.Compare(b.ObjectRef))
}

// String is for logs: `workload deployments shop/web`.
func (r request) String() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	if r.target == targetWorkload {
		name = r.Resource + " " + name
	}
	return fmt.Sprintf("%s %s", r.target, name)
}

// verb is what is done to an object.
type verb string

const (
	nothing verb = ""
	create  verb = "create"
	update  verb = "update"
	remove  verb = "delete"
)

// write is one that is due.
type write struct {
	request
	verb verb
	// run writes, without the lock of the state, and returns the object as the API server has it then.
	run func(context.Context) (*unstructured.Unstructured, error)
	// done puts that object into the state.
	done func(*unstructured.Unstructured)
	// invalid, if there is one, notes that the API server finds the object invalid, and returns what may help,
	// if anything. The write is not retried before something changes.
	invalid func() (help string)
}

// plan returns the write that a request needs; nil for none.
func (s *state) plan(r request, by *writer) (*write, error) {
	switch r.target {
	case targetCombinedStatus:
		return s.planCombined(r, by)
	case targetWorkload:
		return s.planReturn(r, by), nil
	}
	return s.planStatus(r, by)
}

func (s *state) planCombined(r request, by *writer) (*write, error) {
	name := types.NamespacedName{Namespace: r.Namespace, Name: r.Name}
	have := s.combined[name]
	desired, _ := s.engine.Desired(name)
	verb, obj, err := compareCombined(have, desired.Object, have != nil && s.isUndecided(name, have))
	if err != nil || verb == nothing {
		return nil, err
	}
	return &write{request: r, verb: verb,
		run: func(ctx context.Context) (*unstructured.Unstructured, error) { return by.combined(ctx, verb, obj) },
		done: func(now *unstructured.Unstructured) {
			if now != nil && s.combined[name] == have { // otherwise an event brought a newer one
				s.combined[name] = bare(now)
			}
		}}, nil
}

// isUndecided reports whether the engine has not decided yet about a CombinedStatus. Once it has, the
// CombinedStatus is requested again.
func (s *state) isUndecided(name types.NamespacedName, have *unstructured.Unstructured) bool {
	key := engine.ResultKeyOf(have.GetLabels())
	is := s.engine.Undecided(key)
	if is && !slices.Contains(s.undecided[key], name) {
		s.undecided[key] = append(s.undecided[key], name)
	}
	return is
}

// planStatus is for the kinds whose status says what is wrong with them.
func (s *state) planStatus(r request, by *writer) (w *write, err error) {
	known := s.objects[r.target]
	have := known[r.Name]
	if have == nil || s.unreadable[r.Name] && r.target == targetBinding {
		return nil, nil
	}
	var resource schema.GroupVersionResource
	var patch map[string]any
	switch r.target {
	case targetBinding:
		resource = bindings
		patch, err = conditionPatch(have, s.engine.Condition(r.Name), by.now())
	case targetCollector:
		resource = collectors
		errs := s.engine.CollectorErrors(r.Name)
		if why := s.decodeErrors[r.Name]; why != "" {
			errs = []string{why}
		}
		patch = errorsPatch(have, errs)
	case targetPolicy:
		resource = policies
		text, sure := s.engine.PolicyError(r.Name)
		patch = policyErrorPatch(have, text, sure)
	}
	if patch == nil || err != nil {
		return nil, err
	}
	return &write{request: r, verb: update,
		run: func(ctx context.Context) (*unstructured.Unstructured, error) {
			return by.status(ctx, resource, have, patch)
		},
		done: func(now *unstructured.Unstructured) {
			if known[r.Name] == have { // otherwise an event brought a newer one
				known[r.Name] = bare(now)
			}
		}}, nil
}
