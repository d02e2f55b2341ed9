package match

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// Clause is a compiled DownsyncClause.
type Clause struct {
	Group              *string // nil: any
	Resources          stringSet
	namespaces         stringSet
	names              stringSet
	objects            []labels.Selector // none: any
	namespaceSelectors []labels.Selector // none: any
	anyNamespace       bool              // one of namespaceSelectors is empty
	Modulation         control.Modulation
	matched            bool // it selects an object
}

// compileClause compiles a valid clause.
func compileClause(c *control.DownsyncClause) *Clause {
	objects, _ := control.CompileSelectors(c.ObjectSelectors, (*field.Path)(nil))
	namespaceSelectors, _ := control.CompileSelectors(c.NamespaceSelectors, (*field.Path)(nil))
	return &Clause{
		Group: c.APIGroup, Resources: newStringSet(c.Resources), namespaces: newStringSet(c.Namespaces),
		names: newStringSet(c.ObjectNames), objects: objects, namespaceSelectors: namespaceSelectors,
		anyNamespace: len(namespaceSelectors) == 0 || slices.ContainsFunc(namespaceSelectors, labels.Selector.Empty),
		Modulation:   c.Modulation,
	}
}

// MatchesType reports whether the parts about types match.
func (c *Clause) MatchesType(t schema.GroupResource) bool {
	return c.MatchesGroup(t.Group) && c.Resources.has(t.Resource)
}

// MatchesGroup reports whether the part about the group matches.
func (c *Clause) MatchesGroup(group string) bool { return c.Group == nil || *c.Group == group }

// MatchesObject reports whether the parts about single objects match.
func (c *Clause) MatchesObject(e *Candidate) bool {
	return c.namespaces.has(e.Namespace) && c.names.has(e.Name) &&
		(len(c.objects) == 0 || anyMatches(c.objects, e.Labels)) &&
		(c.anyNamespace || e.namespaceLabels != nil && anyMatches(c.namespaceSelectors, e.namespaceLabels))
}

func anyMatches(selectors []labels.Selector, set labels.Set) bool {
	return firstMatch(selectors, set) >= 0
}

// firstMatch is the index of the first of selectors that matches; -1 if none does.
func firstMatch(selectors []labels.Selector, set labels.Set) int {
	for i, s := range selectors {
		if s.Matches(set) {
			return i
		}
	}
	return -1
}

// stringSet is a list of exact words; nil matches any word.
type stringSet sets.Set[string]

// newStringSet reads a list. "*" anywhere in it, or an empty list, matches any word.
func newStringSet(list []string) stringSet {
	if len(list) == 0 || slices.Contains(list, "*") {
		return nil
	}
	return stringSet(sets.New(list...))
}

func (s stringSet) has(word string) bool { return s == nil || sets.Set[string](s).Has(word) }

// mergeModulation adds what another matching clause wants.
func mergeModulation(a, b control.Modulation) control.Modulation {
	a.CreateOnly = a.CreateOnly || b.CreateOnly
	a.WantSingletonReportedState = a.WantSingletonReportedState || b.WantSingletonReportedState
	a.WantMultiWECReportedState = a.WantMultiWECReportedState || b.WantMultiWECReportedState
	if len(b.StatusCollectors) > 0 {
		a.StatusCollectors = slices.Concat(a.StatusCollectors, b.StatusCollectors)
		slices.Sort(a.StatusCollectors)
		a.StatusCollectors = slices.Compact(a.StatusCollectors)
	}
	return a
}
