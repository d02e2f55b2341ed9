package bindings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Sources finds the objects that Bindings name.
type Sources struct {
	Kinds *workload.Resources
	found map[workload.Entry]workload.Found
}

// NewSources looks for the entries of all Bindings together: what one of them means says something
// about the others.
func NewSources(items []*krm.Object, kinds *workload.Resources, bindings []Binding) Sources {
	var entries []workload.Entry
	for _, b := range bindings {
		for _, e := range b.Entries {
			entries = append(entries, e.named())
		}
	}
	return Sources{kinds, kinds.Match(items, entries)}
}

// named is what e calls its object, whatever the version.
func (e Entry) named() workload.Entry {
	return workload.Entry{Group: e.Group, Resource: e.Resource, Namespace: e.Namespace, Name: e.name}
}

// Find returns the one object that e, an entry of a Binding that newSources was given, names.
func (s Sources) Find(e Entry) (*krm.Object, error) {
	match := s.found[e.named()]
	switch found := match.Objects; {
	case match.TakenAs != "":
		return nil, fmt.Errorf("the package has no %s but the object that a Binding names as %q; an object has one plural", e, match.TakenAs)
	case len(found) == 0:
		return nil, fmt.Errorf("the package has no %s; %s", e, ResolveFirst)
	case len(found) > 1:
		return nil, tooMany(e, found)
	case found[0].Version() != e.version:
		return nil, fmt.Errorf("%s has version %q in the package, not %q; %s", e, found[0].Version(), e.version, ResolveFirst)
	default:
		return found[0], nil
	}
}

// tooMany says that found are all that e may mean, and what to do about it: either they are one
// object, or nobody told which of their kinds has that plural.
func tooMany(e Entry, found []*krm.Object) error {
	var kinds []string
	for _, o := range found {
		kinds = append(kinds, o.Kind())
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) == 1 {
		return fmt.Errorf("the package has %d objects that are %s; remove all but one", len(found), e)
	}
	return fmt.Errorf("%s may be of kind %s; tell which by its CustomResourceDefinition, or by annotation %s of the Binding: <Kind>.%s=%s",
		e, strings.Join(kinds, " or "), workload.ResourcesAnnotation, e.Group, e.Resource)
}

// ResolveFirst is what a user does about a Binding that is behind its package.
const ResolveFirst = "run bind-resolve before bundle-manifestwork"
