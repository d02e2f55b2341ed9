package match

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// Clause is a DownsyncClause, compiled.
type Clause struct {
	Group      *string // nil: any
	Resources  words
	namespaces words
	names      words
	objects    []labels.Selector // none: any
	spaces     []labels.Selector // none: any
	anySpace   bool              // one of spaces is the empty selector
	Modulation control.Modulation
	matched    bool // it selects something
}

// compileClause expects a clause that Validate passed.
func compileClause(c *control.DownsyncClause) *Clause {
	objects, _ := control.CompileSelectors(c.ObjectSelectors, (*field.Path)(nil))
	spaces, _ := control.CompileSelectors(c.NamespaceSelectors, (*field.Path)(nil))
	return &Clause{
		Group: c.APIGroup, Resources: newWords(c.Resources), namespaces: newWords(c.Namespaces),
		names: newWords(c.ObjectNames), objects: objects, spaces: spaces,
		anySpace:   len(spaces) == 0 || slices.ContainsFunc(spaces, labels.Selector.Empty),
		Modulation: c.Modulation,
	}
}

// MatchesType reports whether the parts that are about types hold.
func (c *Clause) MatchesType(t schema.GroupResource) bool {
	return c.MatchesGroup(t.Group) && c.Resources.has(t.Resource)
}

func (c *Clause) MatchesGroup(group string) bool { return c.Group == nil || *c.Group == group }

// MatchesObject reports whether the parts that are about one object hold.
func (c *Clause) MatchesObject(e *Candidate) bool {
	return c.namespaces.has(e.Namespace) && c.names.has(e.Name) &&
		(len(c.objects) == 0 || anyMatches(c.objects, e.Labels)) &&
		(c.anySpace || e.spaceLabels != nil && anyMatches(c.spaces, e.spaceLabels))
}

func anyMatches(selectors []labels.Selector, set labels.Set) bool {
	return firstMatch(selectors, set) >= 0
}

// firstMatch is the index of the first of selectors that matches; -1 when none does.
func firstMatch(selectors []labels.Selector, set labels.Set) int {
	for i, s := range selectors {
		if s.Matches(set) {
			return i
		}
	}
	return -1
}

// words is a list of exact words; nil stands for any word.
type words map[string]bool

// newWords reads a list in which "*", wherever it stands, or nothing at all means any word.
func newWords(list []string) words {
	if len(list) == 0 || slices.Contains(list, "*") {
		return nil
	}
	w := make(words, len(list))
	for _, s := range list {
		w[s] = true
	}
	return w
}

func (w words) has(s string) bool { return w == nil || w[s] }

// unite adds what another matching clause asks for.
func unite(a, b control.Modulation) control.Modulation {
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
