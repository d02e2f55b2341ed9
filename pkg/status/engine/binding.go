package engine

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// ObjectRef names an object as a Binding does: by its resource, without its kind.
type ObjectRef struct {
	schema.GroupVersionResource
	Namespace, Name string
}

func (r ObjectRef) withoutVersion() ObjectRef {
	r.Version = ""
	return r
}

func (r ObjectRef) key() types.NamespacedName {
	return types.NamespacedName{Namespace: r.Namespace, Name: r.Name}
}

// Compare orders references.
func (r ObjectRef) Compare(b ObjectRef) int {
	return cmp.Or(
		cmp.Compare(r.Group, b.Group), cmp.Compare(r.Version, b.Version), cmp.Compare(r.Resource, b.Resource),
		compareNames(r.key(), b.key()),
	)
}

func compareNames(a, b types.NamespacedName) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// BoundObject is an object in a Binding, with what the Binding requests for it.
type BoundObject struct {
	ObjectRef
	Collectors       []string
	Singleton, Multi bool
}

func (o BoundObject) wantsStatus() bool { return len(o.Collectors) > 0 || o.Singleton || o.Multi }

// Binding is what the engine needs of a Binding.
type Binding struct {
	Name string
	// PolicyUID is "" when the Binding has no owner that is a BindingPolicy.
	PolicyUID string
	// Objects are in the order of the Binding, including those for which it requests nothing.
	Objects []BoundObject
	// Destinations are sorted, without duplicates.
	Destinations []string
}

// NewBinding converts a Binding. Of an object in several versions the first counts.
func NewBinding(b *control.Binding) *Binding {
	out := &Binding{Name: b.Name, PolicyUID: policyUID(b)}
	known := map[ObjectRef]bool{}
	add := func(ref ObjectRef, m control.Modulation) {
		if !known[ref.withoutVersion()] {
			known[ref.withoutVersion()] = true
			out.Objects = append(out.Objects, BoundObject{ref, m.StatusCollectors, m.WantSingletonReportedState, m.WantMultiWECReportedState})
		}
	}
	for _, o := range b.Spec.Workload.ClusterScope {
		add(ObjectRef{schema.GroupVersionResource{Group: o.Group, Version: o.Version, Resource: o.Resource}, "", o.Name}, o.Modulation)
	}
	for _, o := range b.Spec.Workload.NamespaceScope {
		add(ObjectRef{schema.GroupVersionResource{Group: o.Group, Version: o.Version, Resource: o.Resource}, o.Namespace, o.Name}, o.Modulation)
	}
	for _, d := range b.Spec.Destinations {
		out.Destinations = append(out.Destinations, d.ClusterID)
	}
	slices.Sort(out.Destinations)
	out.Destinations = slices.Compact(out.Destinations)
	return out
}

// policyUID is the UID of the policy that owns the Binding.
func policyUID(b *control.Binding) string {
	for _, owner := range b.OwnerReferences {
		if owner.Kind == control.KindBindingPolicy && owner.APIVersion == control.APIVersion {
			return string(owner.UID)
		}
	}
	return ""
}

// collectors are the names of all collectors in the Binding.
func (b *Binding) collectors() (names []string) {
	for _, o := range b.Objects {
		names = append(names, o.Collectors...)
	}
	return names
}

// PutBinding adds or replaces a Binding.
func (e *Engine) PutBinding(b *Binding) {
	e.bindings[b.Name] = b
	delete(e.unreadable, b.Name)
	e.indexStale = true
}

// MarkUnreadable records a Binding that cannot be read. Its last readable state continues to count; without one, the engine
// decides nothing about results that may belong to it.
func (e *Engine) MarkUnreadable(name string) {
	if e.bindings[name] == nil && !e.unreadable[name] {
		e.unreadable[name], e.indexStale = true, true
	}
}

// DeleteBinding removes a Binding.
func (e *Engine) DeleteBinding(name string) {
	delete(e.bindings, name)
	delete(e.unreadable, name)
	e.indexStale = true
}
