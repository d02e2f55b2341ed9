package plan

import (
	"encoding/json"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// State is what is known, and which objects have to be compared with what they should be.
type State struct {
	// Engine has the reports; the caller puts them in.
	Engine *engine.Engine

	objects      map[Target]map[string]*unstructured.Unstructured // Bindings, StatusCollectors, BindingPolicies
	combined     map[types.NamespacedName]*stored
	unreadable   sets.Set[string]  // Bindings
	decodeErrors map[string]string // of StatusCollectors
	returned     map[engine.ObjectRef]returnedStatus
	rejected     map[engine.ObjectRef]rejection
	undecided    map[engine.ResultKey][]types.NamespacedName // CombinedStatuses that stay until the engine decides
	requests     sets.Set[Request]
	blocked      sets.Set[Request]
}

// New returns a State that knows nothing.
func New(o engine.Options) *State {
	return &State{
		Engine:   engine.New(o),
		objects:  map[Target]map[string]*unstructured.Unstructured{TargetBinding: {}, TargetCollector: {}, TargetPolicy: {}},
		combined: map[types.NamespacedName]*stored{}, unreadable: sets.New[string](), decodeErrors: map[string]string{},
		returned: map[engine.ObjectRef]returnedStatus{}, rejected: map[engine.ObjectRef]rejection{},
		undecided: map[engine.ResultKey][]types.NamespacedName{}, requests: sets.New[Request](), blocked: sets.New[Request](),
	}
}

// SetCollector adds or replaces a StatusCollector; nil deletes it.
func (s *State) SetCollector(name types.NamespacedName, obj *unstructured.Unstructured) (err error) {
	s.setObject(TargetCollector, name.Name, obj)
	s.requestAll(TargetBinding)
	delete(s.decodeErrors, name.Name)
	var c control.StatusCollector
	if obj == nil {
		s.Engine.DeleteCollector(name.Name)
	} else if err = decode(obj, &c); err != nil {
		s.decodeErrors[name.Name] = "cannot be read: " + err.Error()
		s.Engine.DeleteCollector(name.Name)
	} else {
		s.Engine.PutCollector(&c)
	}
	return err
}

// SetBinding adds or replaces a Binding; nil deletes it. While it cannot be read its last readable state counts; without one,
// what may belong to it stays.
func (s *State) SetBinding(name types.NamespacedName, obj *unstructured.Unstructured) error {
	before := s.objects[TargetBinding][name.Name]
	s.setObject(TargetBinding, name.Name, obj)
	if obj == nil {
		s.unreadable.Delete(name.Name)
		s.Engine.DeleteBinding(name.Name)
		return nil
	}
	if before != nil && !bindingChanged(before, obj) && !s.unreadable.Has(name.Name) {
		return nil
	}
	var b control.Binding
	if err := decode(obj, &b); err != nil {
		s.unreadable.Insert(name.Name)
		s.Engine.MarkUnreadable(name.Name)
		return err
	}
	s.unreadable.Delete(name.Name)
	s.Engine.PutBinding(engine.NewBinding(&b))
	return nil
}

// bindingChanged ignores the status, and the metadata except owners.
func bindingChanged(before, now *unstructured.Unstructured) bool {
	return !equal(before.Object["spec"], now.Object["spec"]) || !slices.EqualFunc(before.GetOwnerReferences(), now.GetOwnerReferences(),
		func(a, b metav1.OwnerReference) bool { return a.UID == b.UID && a.Kind == b.Kind })
}

func decode(obj *unstructured.Unstructured, into any) error {
	text, err := json.Marshal(obj.Object)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// SetPolicy adds or replaces a BindingPolicy; nil deletes it.
func (s *State) SetPolicy(name types.NamespacedName, obj *unstructured.Unstructured) error {
	s.setObject(TargetPolicy, name.Name, obj)
	return nil
}

// setObject sets an object whose status says what is wrong with it, and requests it.
func (s *State) setObject(t Target, name string, obj *unstructured.Unstructured) {
	s.Request(Request{t, engine.ObjectRef{Name: name}})
	if obj == nil {
		delete(s.objects[t], name)
	} else {
		s.objects[t][name] = withoutManagedFields(obj)
	}
}

// SetWorkload adds or replaces a workload object; nil deletes it.
func (s *State) SetWorkload(ref engine.ObjectRef, obj *unstructured.Unstructured) {
	if obj != nil {
		s.Engine.PutObject(ref.GroupVersionResource, withoutManagedFields(obj).Object)
		return
	}
	delete(s.returned, ref)
	delete(s.rejected, ref)
	s.Engine.DeleteObject(ref)
}

// ForgetWorkloads forgets all objects of a resource that is no longer watched.
func (s *State) ForgetWorkloads(r schema.GroupVersionResource) {
	s.Engine.SetKind(r, "")
	maps.DeleteFunc(s.returned, func(ref engine.ObjectRef, _ returnedStatus) bool { return ref.GroupVersionResource == r })
	maps.DeleteFunc(s.rejected, func(ref engine.ObjectRef, _ rejection) bool { return ref.GroupVersionResource == r })
}

// withoutManagedFields removes the managed fields from obj: the engine needs only those of reports.
func withoutManagedFields(obj *unstructured.Unstructured) *unstructured.Unstructured {
	obj.SetManagedFields(nil)
	return obj
}
