package match

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// spelling are words that users may mean, by how they write them.
type spelling map[string]string

func (s spelling) add(word string) { s[word] = word }

// typos are the words of a list that no object has and that are similar to a word that objects have. A word that the list has already
// is not meant by another one: beside web-1, web-2 may be for later.
func typos(at *field.Path, noun string, list []string, known func(string) bool, there spelling) (out []Unmatched) {
	others := maps.Clone(there)
	maps.DeleteFunc(others, func(_, word string) bool { return word == "" || slices.Contains(list, word) })
	near := slices.Sorted(maps.Keys(others))
	for i, word := range list {
		if word == "" || known(word) {
			continue
		}
		meant := mapAll(selection.Typos(word, near), func(s string) string { return others[s] })
		if len(meant) > 0 {
			slices.Sort(meant)
			text := fmt.Sprintf("matches no %s: %s; similar: %s", noun, word, strings.Join(slices.Compact(meant), " or "))
			out = append(out, Unmatched{at.Index(i), text})
		}
	}
	return out
}

// typosOfSelector are the typos in the values of one selector, given the labels of all objects.
func typosOfSelector(at *field.Path, noun string, s *metav1.LabelSelector, sets iter.Seq[labels.Set]) (out []Unmatched) {
	for i, e := range s.MatchExpressions {
		if e.Operator != metav1.LabelSelectorOpIn || len(e.Values) < 2 {
			continue
		}
		there := spelling{}
		for set := range sets {
			there.add(set[e.Key])
		}
		known := func(value string) bool { return there[value] == value }
		out = append(out, typos(at.Child("matchExpressions").Index(i).Child("values"), noun, e.Values, known, there)...)
	}
	return out
}

// wordList is a list of words in a clause.
type wordList struct {
	name   string
	listed []string
	any    bool
	known  func(string) bool                  // whether an object of the package has the word
	add    func(there spelling, e *Candidate) // what an object has
}

func (all *Candidates) wordLists(c *Clause, spec *control.DownsyncClause) []wordList {
	has := func(stringSet map[string]bool) func(string) bool {
		return func(word string) bool { return stringSet[word] }
	}
	return []wordList{
		{"resources", spec.Resources, c.Resources == nil, has(all.resources), func(there spelling, e *Candidate) {
			there[strings.ToLower(e.Object.Kind())] = e.Resource
			there.add(e.Resource)
		}},
		{"namespaces", spec.Namespaces, c.namespaces == nil, func(word string) bool { return all.namespaces[word] != nil },
			func(there spelling, e *Candidate) { there.add(e.Namespace) }},
		{"objectNames", spec.ObjectNames, c.names == nil, has(all.names), func(there spelling, e *Candidate) { there.add(e.Name) }},
	}
}

// typosOfClause are those of the lists of a clause that selects something, among what it could select if its lists said so.
func (all *Candidates) typosOfClause(at *field.Path, c *Clause, spec *control.DownsyncClause) (out []Unmatched) {
	wide := *c
	wide.Resources, wide.namespaces, wide.names = nil, nil, nil
	for _, l := range all.wordLists(c, spec) {
		if l.any || !slices.ContainsFunc(l.listed, func(word string) bool { return !l.known(word) }) {
			continue
		}
		there := spelling{}
		for _, e := range all.All {
			if wide.MatchesGroup(e.Group) && wide.MatchesObject(e) {
				l.add(there, e)
			}
		}
		out = append(out, typos(at.Child(l.name), "object", l.listed, l.known, there)...)
	}
	return append(out, all.typosOfSelectors(at, spec)...)
}

func (all *Candidates) typosOfSelectors(at *field.Path, spec *control.DownsyncClause) (out []Unmatched) {
	for i := range spec.NamespaceSelectors {
		sets := all.sets(func(e *Candidate) labels.Set { return e.namespaceLabels })
		out = append(out, typosOfSelector(at.Child("namespaceSelectors").Index(i), "object", &spec.NamespaceSelectors[i], sets)...)
	}
	for i := range spec.ObjectSelectors {
		sets := all.sets(func(e *Candidate) labels.Set { return e.Labels })
		out = append(out, typosOfSelector(at.Child("objectSelectors").Index(i), "object", &spec.ObjectSelectors[i], sets)...)
	}
	return out
}

// sets are labels of all entries.
func (all *Candidates) sets(of func(*Candidate) labels.Set) iter.Seq[labels.Set] {
	return func(yield func(labels.Set) bool) {
		for _, e := range all.All {
			if !yield(of(e)) {
				return
			}
		}
	}
}
