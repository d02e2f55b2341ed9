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
	// Of is the field of the policy that it stands in.
	Of string
	// Wants is the condition as people write it: a condition on a label, or the words of a list.
	Wants string
	Holds bool
	// Have is what there is; nil for a label that is not there.
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

// Terms are the conditions of c, held against e, in the order of the fields of a clause.
func (c *Clause) Terms(e *Candidate) Test {
	out := Test{}
	if c.Group != nil {
		out = append(out, Term{"apiGroup", quoteEmpty(*c.Group), c.MatchesGroup(e.Group), &e.Group})
	}
	out = appendWords(out, "resources", c.Resources, e.Resource)
	out = appendWords(out, "namespaces", c.namespaces, e.Namespace)
	if !c.anySpace && e.spaceLabels == nil {
		out = append(out, Term{Of: "namespaceSelectors", Wants: "a namespace"})
	} else if !c.anySpace {
		out = append(out, nearest("namespaceSelectors", c.spaces, e.spaceLabels)...)
	}
	if len(c.objects) > 0 {
		out = append(out, nearest("objectSelectors", c.objects, e.Labels)...)
	}
	return appendWords(out, "objectNames", c.names, e.Name)
}

func appendWords(t Test, of string, list words, have string) Test {
	if list == nil {
		return t
	}
	var all []string
	for _, w := range slices.Sorted(maps.Keys(list)) {
		all = append(all, quoteEmpty(w))
	}
	return append(t, Term{of, strings.Join(all, ", "), list.has(have), &have})
}

func quoteEmpty(word string) string {
	if word == "" {
		return `""`
	}
	return word
}

// nearest are the conditions of the selector that holds or, when none does, of the first of those that lack the least.
func nearest(of string, selectors []labels.Selector, set labels.Set) (best Test) {
	for i, s := range selectors {
		t := LabelTerms(of, s, set)
		if i == 0 || t.Failing() < best.Failing() {
			best = t
		}
	}
	return best
}

// Test is conditions that must all hold.
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
