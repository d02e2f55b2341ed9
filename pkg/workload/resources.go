package workload

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Resource is what an API server would say about a kind.
type Resource struct {
	// Plural is the name of the resource, such as "deployments". Guessed when not Known.
	Plural string
	// Namespaced says that objects live in namespaces. Meaningless when not Known.
	Namespaced bool
	// Known says that this comes from a table, a CustomResourceDefinition or the options.
	Known bool
	// ListWatch says that objects can be listed and watched, without which nothing selects them.
	ListWatch bool
}

// Resources knows names and scopes of kinds. It is immutable and safe for concurrent use.
type Resources struct {
	kinds map[typeKey]Resource
	// names are the plurals of known kinds, whatever their group.
	names map[string]bool
}

// typeKey is a group and, by use, a kind or a resource.
type typeKey struct{ group, name string }

// NewResources learns the built-in kinds, then the CustomResourceDefinitions among items, then the
// option resources; what comes later wins. Two CustomResourceDefinitions that disagree are an
// error, as is an entry of config that is not of the form Kind.group=plural[,Cluster|Namespaced]
// (Kind=plural for the core group; Namespaced when not said).
func NewResources(items []*krm.Object, config []string) (*Resources, field.ErrorList) {
	r := &Resources{kinds: builtinResources(), names: map[string]bool{}}
	errs := append(r.learnDefinitions(items), r.learnOptions(config)...)
	for _, res := range r.kinds {
		r.names[res.Plural] = true
	}
	return r, errs
}

// Lookup returns what is known about a kind. An unknown kind has the guessed plural.
func (r *Resources) Lookup(group, kind string) Resource {
	if res, ok := r.kinds[typeKey{group, kind}]; ok {
		return res
	}
	return Resource{Plural: guessPlural(kind), ListWatch: true}
}

// Of is Lookup for the kind of o.
func (r *Resources) Of(o *krm.Object) Resource { return r.Lookup(o.Group(), o.Kind()) }

// KnowsPlural reports whether a known kind of any group has that plural.
func (r *Resources) KnowsPlural(plural string) bool { return r.names[plural] }

// DefaultNamespace is where an API server puts an object of a namespaced kind that names none.
const DefaultNamespace = "default"

// NamespaceOf is the namespace o lives in once it is on an API server: "" for cluster-scoped kinds,
// whatever o says, "default" for an object of a namespaced kind that names none. An object of an
// unknown kind is where it says.
func (r *Resources) NamespaceOf(o *krm.Object) string {
	res, ns := r.Of(o), o.Namespace()
	switch {
	case !res.Known:
		return ns
	case !res.Namespaced:
		return ""
	case ns == "":
		return DefaultNamespace
	}
	return ns
}

// excludedGroups and excludedResources are what nothing selects.
var (
	excludedGroups = map[string]bool{
		"flowcontrol.apiserver.k8s.io": true,
		"discovery.k8s.io":             true,
		"apiregistration.k8s.io":       true,
		"coordination.k8s.io":          true,
		"control.kubestellar.io":       true,
	}
	excludedResources = map[typeKey]bool{
		{"", "events"}:                             true,
		{"events.k8s.io", "events"}:                true,
		{"", "nodes"}:                              true,
		{"", "endpoints"}:                          true,
		{"storage.k8s.io", "csistoragecapacities"}: true,
		{"storage.k8s.io", "csinodes"}:             true,
		{"control.kubestellar.io", "workstatuses"}: true,
	}
)

// Selectable reports whether the type of o is one that policies can select.
func (r *Resources) Selectable(o *krm.Object) bool {
	group := o.Group()
	res := r.Lookup(group, o.Kind())
	return res.ListWatch && !excludedGroups[group] && !excludedResources[typeKey{group, res.Plural}]
}
