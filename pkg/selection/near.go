package selection

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	operators "k8s.io/apimachinery/pkg/selection"
)

// Text is a selector as users write it on a command line: site=edge,tier in (prod,test).
func Text(s labels.Selector) string {
	requirements, _ := s.Requirements()
	var terms []string
	for _, r := range requirements {
		terms = append(terms, Term(&r))
	}
	return strings.Join(terms, ",")
}

// Term is one condition on a label; with one value it is an equation.
func Term(r *labels.Requirement) string {
	if values := r.ValuesUnsorted(); len(values) == 1 {
		switch r.Operator() {
		case operators.In:
			return r.Key() + "=" + values[0]
		case operators.NotIn:
			return r.Key() + "!=" + values[0]
		}
	}
	return r.String()
}

// Matches reports whether a selector matches any of sets.
func Matches(s labels.Selector, sets []labels.Set) bool {
	return slices.ContainsFunc(sets, func(set labels.Set) bool { return s.Matches(set) })
}

// Near says which labels are similar to those that a selector wants and that no set has: "; similar: site=edge"; "" for
// none.
func Near(s labels.Selector, sets []labels.Set) string {
	requirements, _ := s.Requirements()
	var hints []string
	alone := true // every requirement alone matches some set
	for i := range requirements {
		r := &requirements[i]
		if slices.ContainsFunc(sets, func(set labels.Set) bool { return r.Matches(set) }) {
			continue
		}
		alone = false
		for _, hint := range nearOf(r, sets) {
			if !slices.Contains(hints, hint) {
				hints = append(hints, hint)
			}
		}
	}
	switch {
	case len(hints) > 0:
		return "; similar: " + strings.Join(hints, " or ")
	case alone && len(requirements) > 1 && len(sets) > 0:
		return "; each of its conditions is met, but never all of them at once"
	}
	return ""
}

// nearOf are the labels that are similar to one requirement: other values of its key or, if no set has the key, other
// keys.
func nearOf(r *labels.Requirement, sets []labels.Set) (hints []string) {
	keys, values := map[string]bool{}, map[string]bool{}
	for _, set := range sets {
		for key, value := range set {
			keys[key] = true
			if key == r.Key() {
				values[value] = true
			}
		}
	}
	wanted := r.ValuesUnsorted()
	slices.Sort(wanted)
	if !keys[r.Key()] {
		return nearKeys(r.Key(), wanted, slices.Sorted(maps.Keys(keys)), sets)
	}
	if op := r.Operator(); op != operators.In && op != operators.Equals && op != operators.DoubleEquals {
		return nil
	}
	for _, value := range wanted {
		for _, similar := range Similar(value, slices.Sorted(maps.Keys(values))) {
			hints = append(hints, r.Key()+"="+similar)
		}
	}
	if len(hints) > 0 {
		return hints
	}
	for _, value := range slices.Sorted(maps.Keys(values))[:min(len(values), maxSimilar)] {
		hints = append(hints, r.Key()+"="+value)
	}
	return hints
}

// nearKeys are keys similar to one that no set has, with the wanted values that they have.
func nearKeys(key string, wanted, keys []string, sets []labels.Set) (hints []string) {
	for _, similar := range Similar(key, keys) {
		hint := similar
		for _, value := range wanted {
			if slices.ContainsFunc(sets, func(set labels.Set) bool { v, has := set[similar]; return has && v == value }) {
				hint = similar + "=" + value
				break
			}
		}
		hints = append(hints, hint)
	}
	return hints
}
