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

// spellings are words that people may mean, by how they write them.
type spellings map[string]string

func (s spellings) add(word string) { s[word] = word }

// slips are the words of a list that nothing has, beside others, and that nearly are what there is. A word that the list names is
// not meant by another one: beside web-1, web-2 may be for later.
func slips(at *field.Path, noun string, list []string, known func(string) bool, there spellings) (out []Unmatched) {
	others := maps.Clone(there)
	maps.DeleteFunc(others, func(_, word string) bool { return word == "" || slices.Contains(list, word) })
	near := slices.Sorted(maps.Keys(others))
	for i, word := range list {
		if word == "" || known(word) {
			continue
		}
		meant := mapped(selection.Slips(word, near), func(s string) string { return others[s] })
		if len(meant) > 0 {
			slices.Sort(meant)
			text := fmt.Sprintf("matches no %s: %s; near is %s", noun, word, strings.Join(slices.Compact(meant), " or "))
			out = append(out, Unmatched{at.Index(i), text})
		}
	}
	return out
}

// slipsOfSelector are those of the values of one selector, of labels that sets have.
func slipsOfSelector(at *field.Path, noun string, s *metav1.LabelSelector, sets iter.Seq[labels.Set]) (out []Unmatched) {
	for i, e := range s.MatchExpressions {
		if e.Operator != metav1.LabelSelectorOpIn || len(e.Values) < 2 {
			continue
		}
		there := spellings{}
		for set := range sets {
			there.add(set[e.Key])
		}
		known := func(value string) bool { return there[value] == value }
		out = append(out, slips(at.Child("matchExpressions").Index(i).Child("values"), noun, e.Values, known, there)...)
	}
	return out
}

// wordList is a list of words in a clause.
type wordList struct {
	name   string
	listed []string
	any    bool
	known  func(string) bool                   // whether an object of the package has the word
	add    func(there spellings, e *Candidate) // what an object has
}

func (u *Candidates) wordLists(c *Clause, spec *control.DownsyncClause) []wordList {
	has := func(words map[string]bool) func(string) bool { return func(word string) bool { return words[word] } }
	return []wordList{
		{"resources", spec.Resources, c.Resources == nil, has(u.resources), func(there spellings, e *Candidate) {
			there[strings.ToLower(e.Object.Kind())] = e.Resource
			there.add(e.Resource)
		}},
		{"namespaces", spec.Namespaces, c.namespaces == nil, func(word string) bool { return u.spaces[word] != nil },
			func(there spellings, e *Candidate) { there.add(e.Namespace) }},
		{"objectNames", spec.ObjectNames, c.names == nil, has(u.names), func(there spellings, e *Candidate) { there.add(e.Name) }},
	}
}

// slipsOfClause are those of the lists of a clause that selects something, among what it could select if its lists said so.
func (u *Candidates) slipsOfClause(at *field.Path, c *Clause, spec *control.DownsyncClause) (out []Unmatched) {
	wide := *c
	wide.Resources, wide.namespaces, wide.names = nil, nil, nil
	for _, l := range u.wordLists(c, spec) {
		if l.any || !slices.ContainsFunc(l.listed, func(word string) bool { return !l.known(word) }) {
			continue
		}
		there := spellings{}
		for _, e := range u.All {
			if wide.MatchesGroup(e.Group) && wide.MatchesObject(e) {
				l.add(there, e)
			}
		}
		out = append(out, slips(at.Child(l.name), "object", l.listed, l.known, there)...)
	}
	return append(out, u.slipsOfSelectors(at, spec)...)
}

func (u *Candidates) slipsOfSelectors(at *field.Path, spec *control.DownsyncClause) (out []Unmatched) {
	for i := range spec.NamespaceSelectors {
		sets := u.sets(func(e *Candidate) labels.Set { return e.spaceLabels })
		out = append(out, slipsOfSelector(at.Child("namespaceSelectors").Index(i), "object", &spec.NamespaceSelectors[i], sets)...)
	}
	for i := range spec.ObjectSelectors {
		sets := u.sets(func(e *Candidate) labels.Set { return e.Labels })
		out = append(out, slipsOfSelector(at.Child("objectSelectors").Index(i), "object", &spec.ObjectSelectors[i], sets)...)
	}
	return out
}

// sets are labels of all entries.
func (u *Candidates) sets(of func(*Candidate) labels.Set) iter.Seq[labels.Set] {
	return func(yield func(labels.Set) bool) {
		for _, e := range u.All {
			if !yield(of(e)) {
				return
			}
		}
	}
}
