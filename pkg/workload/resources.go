package workload

import (
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Resource is what an API server would say about a kind.
type Resource struct {
	// Plural is the name of the resource, such as "deployments". Guessed when not Known.
	Plural string
	// Namespaced says that objects live in namespaces. Meaningless when not Known.
	Namespaced bool
	// Known says that this comes from a table, a CustomResourceDefinition, the options or a Binding.
	Known bool
	// ListWatch says that objects can be listed and watched, without which nothing selects them.
	ListWatch bool
}

// Resources knows names and scopes of kinds. It is immutable and safe for concurrent use.
type Resources struct {
	kinds map[typeKey]Resource
	told  map[typeKey]teller
	// plurals are those of known kinds: by group and plural, the kinds that have it.
	plurals map[typeKey][]string
	// groups are, by plural, the groups that have it.
	groups map[string][]string
}

// typeKey is a group and, by use, a kind or a resource.
type typeKey struct{ group, name string }

// NewResources learns the built-in kinds, then the CustomResourceDefinitions among items, then the
// option resources; what comes later wins. Two CustomResourceDefinitions that disagree are an
// error, as is an entry of config that is not of the form Kind.group=plural[,Cluster|Namespaced]
// (Kind=plural for the core group; Namespaced when not said).
func NewResources(items []*krm.Object, config []string) (*Resources, field.ErrorList) {
	r := newResources()
	errs := append(r.learnDefinitions(items), r.learnOptions(config)...)
	r.index()
	return r, errs
}

// NewBoundResources is NewResources that also learns what the Bindings among items say in their
// annotation ResourcesAnnotation, which ranks where the option does. What cannot be read there, or
// disagrees with the option or another Binding, is an error result.
func NewBoundResources(items []*krm.Object, config []string) (*Resources, field.ErrorList, sdk.Results) {
	r := newResources()
	errs := append(r.learnDefinitions(items), r.learnOptions(config)...)
	results := r.learnBindings(items)
	r.index()
	return r, errs, results
}

func newResources() *Resources {
	return &Resources{kinds: builtinResources(), told: map[typeKey]teller{}}
}

// index makes the ways back from plurals, in a fixed order.
func (r *Resources) index() {
	r.plurals, r.groups = map[typeKey][]string{}, map[string][]string{}
	for _, k := range slices.SortedFunc(maps.Keys(r.kinds), compareKeys) {
		plural := r.kinds[k].Plural
		p := typeKey{k.group, plural}
		if len(r.plurals[p]) == 0 {
			r.groups[plural] = append(r.groups[plural], k.group)
		}
		r.plurals[p] = append(r.plurals[p], k.name)
	}
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

// KnowsResource reports whether a known kind of that group has that plural.
func (r *Resources) KnowsResource(group, plural string) bool {
	return len(r.plurals[typeKey{group, plural}]) > 0
}

// KnowsGroup reports whether any known kind is of that group.
func (r *Resources) KnowsGroup(group string) bool {
	for k := range r.kinds {
		if k.group == group {
			return true
		}
	}
	return false
}

// Like lists the known kinds of any group, as Kind.group, that are called word or that have it for their plural, whatever
// the case.
func (r *Resources) Like(word string) (out []string) {
	for k, resource := range r.kinds {
		if strings.EqualFold(k.name, word) || strings.EqualFold(resource.Plural, word) {
			out = append(out, strings.TrimSuffix(k.name+"."+k.group, "."))
		}
	}
	slices.Sort(out)
	return out
}

// CouldMean reports whether somebody who writes plural, for resources of one group or of any, could
// mean a kind of a group whose plural nobody taught: it is the guess, or no known kind of that
// group has it and, where no group is named, no other kind of any group but one called the same.
func (r *Resources) CouldMean(plural, group, kind string, anyGroup bool) bool {
	switch {
	case plural == guessPlural(kind):
		return true
	case r.KnowsResource(group, plural):
		return false
	case !anyGroup || len(r.groups[plural]) == 0:
		return true
	}
	return slices.ContainsFunc(r.groups[plural], func(other string) bool {
		return slices.ContainsFunc(r.plurals[typeKey{other, plural}], func(k string) bool { return strings.EqualFold(k, kind) })
	})
}

// DefaultNamespace is where an API server puts an object of a namespaced kind that names none.
const DefaultNamespace = "default"

// NamespaceOf is the namespace o lives in once it is on an API server: "" for cluster-scoped kinds,
// whatever o says, "default" for an object of a namespaced kind that names none. An object of an
// unknown kind is where it says.
func (r *Resources) NamespaceOf(o *krm.Object) string { return namespaceBy(r.Of(o), o) }

func namespaceBy(res Resource, o *krm.Object) string {
	ns := o.Namespace()
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
