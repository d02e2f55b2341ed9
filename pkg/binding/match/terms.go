package match

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/selection"
)

// Term is one condition of a policy.
type Term struct {
	// Of is its field in the policy.
	Of string
	// Wants is the condition as users write it: a condition on a label, or the words of a list.
	Wants string
	Holds bool
	// Have is the present value; nil for a label that does not exist.
	Have *string
}

// LabelTerms are the conditions of one selector.
func LabelTerms(of string, s labels.Selector, set labels.Set) Test {
	out := Test{}
	requirements, _ := s.Requirements()
	for _, r := range requirements {
		t := Term{Of: of, Wants: selection.Term(&r), Holds: r.Matches(set)}
		if value, ok := set[r.Key()]; ok {
			t.Have = &value
		}
		out = append(out, t)
	}
	return out
}

// Terms are the conditions of c for e, in the order of the fields of a clause.
func (c *Clause) Terms(e *Candidate) Test {
	out := Test{}
	if c.Group != nil {
		out = append(out, Term{"apiGroup", quoteEmpty(*c.Group), c.MatchesGroup(e.Group), &e.Group})
	}
	out = appendList(out, "resources", c.Resources, e.Resource)
	out = appendList(out, "namespaces", c.namespaces, e.Namespace)
	if !c.anyNamespace && e.namespaceLabels == nil {
		out = append(out, Term{Of: "namespaceSelectors", Wants: "a namespace"})
	} else if !c.anyNamespace {
		out = append(out, nearest("namespaceSelectors", c.namespaceSelectors, e.namespaceLabels)...)
	}
	if len(c.objects) > 0 {
		out = append(out, nearest("objectSelectors", c.objects, e.Labels)...)
	}
	return appendList(out, "objectNames", c.names, e.Name)
}

func appendList(t Test, of string, list stringSet, have string) Test {
	if list == nil {
		return t
	}
	return append(t, Term{of, list.text(), list.has(have), &have})
}

// text is the list as users read it.
func (s stringSet) text() string {
	return strings.Join(mapAll(slices.Sorted(maps.Keys(s)), quoteEmpty), ", ")
}

func quoteEmpty(word string) string {
	if word == "" {
		return `""`
	}
	return word
}

// nearest are the conditions of the selector with the fewest that do not hold, the first of them.
func nearest(of string, selectors []labels.Selector, set labels.Set) (best Test) {
	for i, s := range selectors {
		t := LabelTerms(of, s, set)
		if i == 0 || t.Failing() < best.Failing() {
			best = t
		}
	}
	return best
}

// Test are conditions that must all hold.
type Test []Term

// Holds reports whether all conditions do.
func (t Test) Holds() bool { return t.Failing() == 0 }

// Failing is how many conditions do not hold.
func (t Test) Failing() (n int) {
	for _, term := range t {
		if !term.Holds {
			n++
		}
	}
	return n
}
