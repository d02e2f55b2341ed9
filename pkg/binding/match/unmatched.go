package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/selection"
)

// UnmatchedClauses are the clauses of p that select nothing, each with the first of its parts that leaves no object, and
// selectors and words beside others in a clause that match nothing. Where there is nothing to select, no clause is to blame.
func (p *Policy) UnmatchedClauses(u *Candidates) (out []Unmatched) {
	if len(u.All) == 0 {
		return nil
	}
	for i, c := range p.Clauses {
		if !c.matched || len(c.objects) > 1 || len(c.spaces) > 1 {
			out = append(out, c.unmatched(field.NewPath("spec", "downsync").Index(i), u.All)...)
		}
		if c.matched {
			out = append(out, u.slipsOfClause(field.NewPath("spec", "downsync").Index(i), c, &p.Spec.Downsync[i])...)
		}
	}
	return out
}

// part is a field of a clause.
type part struct {
	name   string
	passes func(*Candidate) bool
	// Modulation is what it asks for, as text, and near what comes near to that among entries that it does not let pass.
	Modulation string
	near       func([]*Candidate) string
	// selectors are those of a list of selectors, over the labels of an entry.
	selectors []labels.Selector
	labels    func(*Candidate) labels.Set
}

// Unmatched narrows entries down, part by part.
func (c *Clause) unmatched(at *field.Path, entries []*Candidate) (out []Unmatched) {
	var passed []string
	for _, part := range c.parts() {
		left := slices.DeleteFunc(slices.Clone(entries), func(e *Candidate) bool { return !part.passes(e) })
		if len(left) == 0 {
			return append(out, Unmatched{at.Child(part.name),
				fmt.Sprintf("matches no object%s: %s%s", among(len(entries), passed), part.Modulation, part.near(entries))})
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

// among says which objects a part was asked about.
func among(n int, passed []string) string {
	if len(passed) == 0 {
		return ""
	}
	return fmt.Sprintf(" of the %d that %s let pass", n, strings.Join(passed, ", "))
}

// parts are the fields of c that say something, from the widest to the narrowest.
func (c *Clause) parts() (all []part) {
	if c.Group != nil {
		group := newWords([]string{*c.Group})
		all = append(all, ofWords("apiGroup", group, func(e *Candidate) string { return e.Group }))
	}
	if c.Resources != nil {
		all = append(all, ofWords("resources", c.Resources, func(e *Candidate) string { return e.Resource }))
	}
	if c.namespaces != nil {
		all = append(all, ofWords("namespaces", c.namespaces, func(e *Candidate) string { return e.Namespace }))
	}
	if !c.anySpace {
		all = append(all, ofSelectors("namespaceSelectors", c.spaces, func(e *Candidate) labels.Set { return e.spaceLabels }))
	}
	if len(c.objects) > 0 {
		all = append(all, ofSelectors("objectSelectors", c.objects, func(e *Candidate) labels.Set { return e.Labels }))
	}
	if c.names != nil {
		all = append(all, ofWords("objectNames", c.names, func(e *Candidate) string { return e.Name }))
	}
	return all
}

func ofWords(name string, list words, of func(*Candidate) string) part {
	wanted := slices.Sorted(maps.Keys(list))
	return part{
		name: name, Modulation: strings.Join(mapped(wanted, quoteEmpty), ", "),
		passes: func(e *Candidate) bool { return list.has(of(e)) },
		near: func(entries []*Candidate) string {
			var similar []string
			there := mapped(entries, of)
			for _, word := range wanted {
				similar = append(similar, selection.Similar(word, there)...)
			}
			if len(similar) == 0 {
				return ""
			}
			slices.Sort(similar)
			return "; near is " + strings.Join(slices.Compact(similar), " or ")
		},
	}
}

func ofSelectors(name string, list []labels.Selector, of func(*Candidate) labels.Set) part {
	p := part{name: name, selectors: list, labels: of}
	p.passes = func(e *Candidate) bool { return of(e) != nil && anyMatches(list, of(e)) }
	p.Modulation = strings.Join(mapped(list, selection.Text), " or ")
	p.near = func(entries []*Candidate) string {
		var hints []string
		for _, s := range list {
			hints = append(hints, selection.Near(s, p.sets(entries)))
		}
		return strings.Join(slices.Compact(hints), "")
	}
	return p
}

// sets are the labels that the selectors of a part are asked about.
func (p *part) sets(entries []*Candidate) (all []labels.Set) {
	for _, e := range entries {
		if set := p.labels(e); set != nil {
			all = append(all, set)
		}
	}
	return all
}

func mapped[T any](list []T, to func(T) string) []string {
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

// UnmatchedSelectors are the clusterSelectors of p that match no cluster, and values of others that are misspelt. Where there are
// no clusters at all, no selector is to blame.
func (p *Policy) UnmatchedSelectors(sets []labels.Set) (out []Unmatched) {
	if len(sets) == 0 {
		return nil
	}
	for i, s := range p.Clusters {
		at := field.NewPath("spec", "clusterSelectors").Index(i)
		if p.matched[i] || selection.Matches(s, sets) {
			out = append(out, slipsOfSelector(at, "cluster", &p.Spec.ClusterSelectors[i], slices.Values(sets))...)
			continue
		}
		out = append(out, Unmatched{at, fmt.Sprintf("matches no cluster: %s%s", selection.Text(s), selection.Near(s, sets))})
	}
	return out
}
