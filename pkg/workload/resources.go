package workload

import (
	"maps"
	"slices"
	"strings"
	"sync"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Resource is what an API server knows about a kind.
type Resource struct {
	// Plural is the name of the resource, such as "deployments". It is a guess if not Known.
	Plural string
	// Namespaced says that objects are in namespaces. Without meaning if not Known.
	Namespaced bool
	// Known says that this comes from a table, a CustomResourceDefinition, the options or a Binding.
	Known bool
	// ListWatch says that objects can be listed and watched; without that nothing selects them.
	ListWatch bool
}

// Resources are the names and scopes of kinds. They are immutable and safe for concurrent use.
type Resources struct {
	kinds    map[typeKey]Resource
	declared map[typeKey]declaration
	// plurals are those of known kinds: by group and plural, the kinds that have it.
	plurals map[typeKey][]string
	// groups are, by plural, the groups that have it.
	groups map[string][]string
}

// typeKey is a group and a kind, or a group and a resource.
type typeKey struct{ group, name string }

// NewResources reads the built-in kinds, then the CustomResourceDefinitions among items, then the
// option resources; the later ones win. Two CustomResourceDefinitions that disagree are an
// error, and so is an entry of config that does not have the form Kind.group=plural[,Cluster|Namespaced]
// (Kind=plural for the core group; Namespaced by default).
func NewResources(items []*krm.Object, config []string) (*Resources, field.ErrorList) {
	r, errs := newResources(items, config)
	r.index()
	return r, errs
}

// Builtin are the Resources that no package adds to. They are made when they are first used.
var Builtin = sync.OnceValue(func() *Resources {
	r, _ := NewResources(nil, nil) // nothing here can be wrong
	return r
})

// NewBoundResources is NewResources that also reads the annotation ResourcesAnnotation of the Bindings among items, which
// has the rank of the option. An entry there that cannot be read, or
// disagrees with the option or another Binding, is an error result.
func NewBoundResources(items []*krm.Object, config []string) (*Resources, field.ErrorList, sdk.Results) {
	r, errs := newResources(items, config)
	results := r.readBindings(items)
	r.index()
	return r, errs, results
}

func newResources(items []*krm.Object, config []string) (*Resources, field.ErrorList) {
	r := &Resources{kinds: builtinResources(), declared: map[typeKey]declaration{}}
	return r, append(r.readDefinitions(items), r.readOptions(config)...)
}

// index indexes kinds by their plurals, in a fixed order.
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

// Lookup is what is known about a kind. The plural of an unknown kind is a guess.
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

// KnowsGroup reports whether any known kind has that group.
func (r *Resources) KnowsGroup(group string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(r.kinds)), func(k typeKey) bool { return k.group == group })
}

// Like are the known kinds of any group, as Kind.group, whose name or plural is word, in any case.
func (r *Resources) Like(word string) (out []string) {
	for k, resource := range r.kinds {
		if strings.EqualFold(k.name, word) || strings.EqualFold(resource.Plural, word) {
			out = append(out, strings.TrimSuffix(k.name+"."+k.group, "."))
		}
	}
	slices.Sort(out)
	return out
}

// CouldMean reports whether plural, for resources of one group or of any, could
// mean a kind whose plural is unknown: it is the guess, or no known kind of that
// group has it and, for any group, no known kind of another name.
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

// DefaultNamespace is the namespace of an object of a namespaced kind that names none.
const DefaultNamespace = "default"

// NamespaceOf is the namespace of o in an API server: "" for cluster-scoped kinds,
// whatever o names, "default" for an object of a namespaced kind that names none. An object of an
// unknown kind is in the namespace that it names.
func (r *Resources) NamespaceOf(o *krm.Object) string { return namespaceBy(r.Of(o), o) }

// ID is the identity of o in an API server: that of o, in the namespace that NamespaceOf gives.
func (r *Resources) ID(o *krm.Object) krm.ID {
	id := o.ID()
	id.Namespace = r.NamespaceOf(o)
	return id
}

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
