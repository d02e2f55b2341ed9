package match

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/selection"
)

// UnmatchedClauses are the clauses of p that select nothing, each with the first of its parts that leaves no object, and
// single selectors and words of a clause that match nothing. There are none without candidates.
func (p *Policy) UnmatchedClauses(all *Candidates) (out []Unmatched) {
	if len(all.All) == 0 {
		return nil
	}
	for i, c := range p.Clauses {
		if !c.matched || len(c.objects) > 1 || len(c.namespaceSelectors) > 1 {
			out = append(out, c.unmatched(field.NewPath("spec", "downsync").Index(i), all.All)...)
		}
		if c.matched {
			out = append(out, all.typosOfClause(field.NewPath("spec", "downsync").Index(i), c, &p.Spec.Downsync[i])...)
		}
	}
	return out
}

// part is a field of a clause.
type part struct {
	name   string
	passes func(*Candidate) bool
	// wants is its condition as text, and near is what is similar to that among candidates that do not pass.
	wants string
	near  func([]*Candidate) string
	// selectors are those of a list of selectors, for the labels of a candidate.
	selectors []labels.Selector
	labels    func(*Candidate) labels.Set
}

// unmatched applies the parts of c to candidates, one after the other.
func (c *Clause) unmatched(at *field.Path, entries []*Candidate) (out []Unmatched) {
	var passed []string
	for _, part := range c.parts() {
		left := slices.DeleteFunc(slices.Clone(entries), func(e *Candidate) bool { return !part.passes(e) })
		if len(left) == 0 {
			return append(out, Unmatched{at.Child(part.name),
				fmt.Sprintf("matches no object%s: %s%s", among(len(entries), passed), part.wants, part.near(entries))})
		}
		for i, s := range part.selectors {
			if sets := part.sets(entries); !selection.Matches(s, sets) {
				out = append(out, Unmatched{at.Child(part.name).Index(i),
					fmt.Sprintf("matches no object%s: %s%s", among(len(entries), passed), selection.Text(s), selection.Near(s, sets))})
			}
		}
		entries, passed = left, append(passed, part.name)
	}
	return out
}

// among says which objects a part was applied to.
func among(n int, passed []string) string {
	if len(passed) == 0 {
		return ""
	}
	return fmt.Sprintf(" of the %d that %s let pass", n, strings.Join(passed, ", "))
}

// parts are the fields of c that say something, from the widest to the narrowest.
func (c *Clause) parts() (all []part) {
	addList := func(name string, list stringSet, of func(*Candidate) string) {
		if list != nil {
			all = append(all, partOfList(name, list, of))
		}
	}
	if c.Group != nil {
		addList("apiGroup", newStringSet([]string{*c.Group}), func(e *Candidate) string { return e.Group })
	}
	addList("resources", c.Resources, func(e *Candidate) string { return e.Resource })
	addList("namespaces", c.namespaces, func(e *Candidate) string { return e.Namespace })
	if !c.anyNamespace {
		all = append(all, partOfSelectors("namespaceSelectors", c.namespaceSelectors, func(e *Candidate) labels.Set { return e.namespaceLabels }))
	}
	if len(c.objects) > 0 {
		all = append(all, partOfSelectors("objectSelectors", c.objects, func(e *Candidate) labels.Set { return e.Labels }))
	}
	addList("objectNames", c.names, func(e *Candidate) string { return e.Name })
	return all
}

func partOfList(name string, list stringSet, of func(*Candidate) string) part {
	return part{
		name: name, wants: list.text(),
		passes: func(e *Candidate) bool { return list.has(of(e)) },
		near: func(entries []*Candidate) string {
			var similar []string
			there := mapAll(entries, of)
			for word := range list {
				similar = append(similar, selection.Similar(word, there)...)
			}
			if len(similar) == 0 {
				return ""
			}
			slices.Sort(similar)
			return "; similar: " + strings.Join(slices.Compact(similar), " or ")
		},
	}
}

func partOfSelectors(name string, list []labels.Selector, of func(*Candidate) labels.Set) part {
	p := part{name: name, selectors: list, labels: of}
	p.passes = func(e *Candidate) bool { return of(e) != nil && anyMatches(list, of(e)) }
	p.wants = strings.Join(mapAll(list, selection.Text), " or ")
	p.near = func(entries []*Candidate) string {
		var hints []string
		for _, s := range list {
			hints = append(hints, selection.Near(s, p.sets(entries)))
		}
		return strings.Join(slices.Compact(hints), "")
	}
	return p
}

// sets are the labels that the selectors of a part are applied to.
func (p *part) sets(entries []*Candidate) (all []labels.Set) {
	for _, e := range entries {
		if set := p.labels(e); set != nil {
			all = append(all, set)
		}
	}
	return all
}

func mapAll[T any](list []T, to func(T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = to(list[i])
	}
	return out
}

// Unmatched is a part of a policy that matches nothing.
type Unmatched struct {
	At   *field.Path
	Text string
}

// UnmatchedSelectors are the clusterSelectors of p that match no cluster, and misspelt values in the others. sets are the
// labels of the clusters; without clusters there are none.
func (p *Policy) UnmatchedSelectors(sets []labels.Set) (out []Unmatched) {
	if len(sets) == 0 {
		return nil
	}
	for i, s := range p.Clusters {
		at := field.NewPath("spec", "clusterSelectors").Index(i)
		if p.matched[i] || selection.Matches(s, sets) {
			out = append(out, typosOfSelector(at, "cluster", &p.Spec.ClusterSelectors[i], slices.Values(sets))...)
			continue
		}
		out = append(out, Unmatched{at, fmt.Sprintf("matches no cluster: %s%s", selection.Text(s), selection.Near(s, sets))})
	}
	return out
}
