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

// NewSources looks up the entries of all Bindings together: the object of one entry helps to find those of the others.
func NewSources(items []*krm.Object, kinds *workload.Resources, bindings []Binding) Sources {
	var entries []workload.Entry
	for _, b := range bindings {
		for _, e := range b.Entries {
			entries = append(entries, e.Entry)
		}
	}
	return Sources{kinds, kinds.Match(items, entries)}
}

// Find returns the object that e names. e is an entry of the Bindings that NewSources was given.
func (s Sources) Find(e Entry) (*krm.Object, error) {
	match := s.found[e.Entry]
	switch found := match.Objects; {
	case match.TakenAs != "":
		return nil, fmt.Errorf("the only %s that the package may have is named %q by another entry; an object has one plural", e, match.TakenAs)
	case len(found) == 0:
		return nil, fmt.Errorf("the package has no %s; %s", e, ResolveFirst)
	case len(found) > 1:
		return nil, ambiguous(e, found)
	case found[0].Version() != e.version:
		return nil, fmt.Errorf("%s has version %q in the package, not %q; %s", e, found[0].Version(), e.version, ResolveFirst)
	default:
		return found[0], nil
	}
}

// ambiguous is the error for an entry that may mean several objects: either they are one object, or it is unknown which
// of their kinds has that plural.
func ambiguous(e Entry, found []*krm.Object) error {
	var kinds []string
	for _, o := range found {
		kinds = append(kinds, o.Kind())
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) == 1 {
		return fmt.Errorf("the package has %d objects that are %s; remove all but one", len(found), e)
	}
	return fmt.Errorf("%s may be of kind %s; declare it with its CustomResourceDefinition, or with annotation %s of the Binding: <Kind>.%s=%s",
		e, strings.Join(kinds, " or "), workload.ResourcesAnnotation, e.Group, e.Resource)
}

// ResolveFirst is what the user does if a Binding is older than its package.
const ResolveFirst = "run bind-resolve before bundle-manifestwork"
