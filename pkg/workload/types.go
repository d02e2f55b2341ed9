package workload

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Types are the names of types, and whether their objects are in namespaces.
type Types interface {
	// Kinds are the kinds of a group with that lower-case plural, sorted; usually one.
	Kinds(group, plural string) []string
	// Lookup is what is known about a kind.
	Lookup(group, kind string) Resource
}

// NamespaceIn is the namespace of an object in an API server with those types: see
// Resources.NamespaceOf.
func NamespaceIn(types Types, o *krm.Object) string {
	return namespaceBy(types.Lookup(o.Group(), o.Kind()), o)
}

// TypesOf are the built-in types, those of CustomResourceDefinitions among items, and those of items; and those that declared
// has, in the form of NewResources.
func TypesOf(items []*krm.Object, declared ...string) (Types, field.ErrorList) {
	resources, errs := NewResources(items, declared)
	t := &itemTypes{Resources: resources, kinds: map[string]map[string]bool{}}
	for _, o := range items {
		t.add(o.Group(), o.Kind())
		if o.Is("apiextensions.k8s.io", "CustomResourceDefinition") {
			t.add(o.String("spec", "group"), o.String("spec", "names", "kind"))
		}
	}
	return t, errs
}

type itemTypes struct {
	*Resources
	kinds map[string]map[string]bool // by group
}

func (t *itemTypes) add(group, kind string) {
	if t.kinds[group] == nil {
		t.kinds[group] = map[string]bool{}
	}
	if kind != "" {
		t.kinds[group][kind] = true
	}
}

// Kinds implements Types. Kinds with a guessed plural count only if no known kind has it.
func (t *itemTypes) Kinds(group, plural string) []string {
	var known, guessed []string
	for kind := range t.kinds[group] {
		switch res := t.Lookup(group, kind); {
		case res.Plural != plural:
		case res.Known:
			known = append(known, kind)
		default:
			guessed = append(guessed, kind)
		}
	}
	for _, kind := range t.plurals[typeKey{group, plural}] {
		if t.Lookup(group, kind).ListWatch || kind == "Binding" || kind == "Eviction" { // other kinds without objects are of no use
			known = append(known, kind)
		}
	}
	found := known
	if len(found) == 0 {
		found = guessed
	}
	slices.Sort(found)
	return slices.Compact(found)
}
