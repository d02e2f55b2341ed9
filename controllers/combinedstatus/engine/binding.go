package engine

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// Resource is what an API server calls the objects of a kind in one version.
type Resource struct{ Group, Version, Plural string }

// Target is an object as a Binding names it: without its kind.
type Target struct {
	Resource
	Namespace, Name string
}

// anyVersion is the object in whatever version.
func (t Target) anyVersion() Target {
	t.Version = ""
	return t
}

func (t Target) compare(b Target) int {
	return cmp.Or(
		cmp.Compare(t.Group, b.Group), cmp.Compare(t.Version, b.Version), cmp.Compare(t.Plural, b.Plural),
		cmp.Compare(t.Namespace, b.Namespace), cmp.Compare(t.Name, b.Name),
	)
}

// Asked is what a Binding asks for an object.
type Asked struct {
	Target
	Collectors       []string
	Singleton, Multi bool
}

// anything reports whether there is something to be done for the object.
func (a Asked) anything() bool { return len(a.Collectors) > 0 || a.Singleton || a.Multi }

// Binding is what matters of a Binding here.
type Binding struct {
	Name string
	// PolicyUID is "" when the Binding does not tell.
	PolicyUID string
	// Objects in the order of the Binding, those included for which nothing is asked.
	Objects []Asked
	// Destinations are sorted, each once.
	Destinations []string
}

// BindingOf takes from a Binding what matters. An object that is there in several versions counts in the
// first of them.
func BindingOf(b *control.Binding) *Binding {
	out := &Binding{Name: b.Name, PolicyUID: policyUID(b)}
	known := map[Target]bool{}
	add := func(t Target, m control.Modulation) {
		if !known[t.anyVersion()] {
			known[t.anyVersion()] = true
			out.Objects = append(out.Objects, Asked{t, m.StatusCollectors, m.WantSingletonReportedState, m.WantMultiWECReportedState})
		}
	}
	for _, o := range b.Spec.Workload.ClusterScope {
		add(Target{Resource{o.Group, o.Version, o.Resource}, "", o.Name}, o.Modulation)
	}
	for _, o := range b.Spec.Workload.NamespaceScope {
		add(Target{Resource{o.Group, o.Version, o.Resource}, o.Namespace, o.Name}, o.Modulation)
	}
	for _, d := range b.Spec.Destinations {
		out.Destinations = append(out.Destinations, d.ClusterID)
	}
	slices.Sort(out.Destinations)
	out.Destinations = slices.Compact(out.Destinations)
	return out
}

// policyUID is that of the policy which owns the Binding.
func policyUID(b *control.Binding) string {
	for _, owner := range b.OwnerReferences {
		if owner.Kind == control.KindBindingPolicy && owner.APIVersion == control.APIVersion {
			return string(owner.UID)
		}
	}
	return ""
}

// collectors are the names of all collectors that the Binding names.
func (b *Binding) collectors() (names []string) {
	for _, o := range b.Objects {
		names = append(names, o.Collectors...)
	}
	return names
}

// PutBinding takes in a Binding.
func (e *Engine) PutBinding(b *Binding) {
	e.bindings[b.Name] = b
	delete(e.lost, b.Name)
	e.restructured = true
}

// LoseBinding says that there is a Binding which cannot be read. What is known of it goes on to count; where
// that is nothing, nothing is decided about what may be there for it.
func (e *Engine) LoseBinding(name string) {
	if e.bindings[name] == nil && !e.lost[name] {
		e.lost[name], e.restructured = true, true
	}
}

// DeleteBinding forgets a Binding.
func (e *Engine) DeleteBinding(name string) {
	delete(e.bindings, name)
	delete(e.lost, name)
	e.restructured = true
}
