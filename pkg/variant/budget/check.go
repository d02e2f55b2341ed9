package budget

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Pending is a change that a variant is about to make.
type Pending struct {
	Namespace, Name     string // of the variant
	Labels, Annotations map[string]string
	Change              Change
}

// Verdict is what budgets say about pending changes. All lists are in order of namespace and name.
type Verdict struct {
	// Exceeded are the budgets that some change is refused by.
	Exceeded []Note
	// Refused are the variants that must not change, each with what its budgets say.
	Refused []Note
	// Overrides are the variants that may exceed budgets, each with the line that its
	// commit records.
	Overrides []Note
	// Unmatched are the budgets that select no variant, and what is similar.
	Unmatched []Note
	// Divided are the budgets that apply to variants of several shards.
	Divided []Note
}

// Note is a line about a budget or a variant.
type Note struct{ Namespace, Name, Text string }

// Compare orders notes by namespace and name.
func (n Note) Compare(other Note) int {
	return cmp.Or(cmp.Compare(n.Namespace, other.Namespace), cmp.Compare(n.Name, other.Name))
}

// NoteOn returns the text of the note about a budget or variant; "" when there is none.
func NoteOn(notes []Note, namespace, name string) string {
	for _, n := range notes {
		if n.Namespace == namespace && n.Name == name {
			return n.Text
		}
	}
	return ""
}

// Check holds pending changes against every budget. Of the variants of its namespace that a budget selects, the changes
// are added up; when the sum is above a limit all of them are refused, since none of them is the cause more
// than another. A variant that waybill.ExceedReason lets pass is neither added up nor
// refused; where a budget would be exceeded if it were added up, its commit records that.
// variants are the labels of all variants of a namespace that this process changes. A budget that selects none of them, nor of pending
// or others, may have a misspelt label: it applies to all of its namespace, unless it may select none. Changes by other processes are
// not known: a budget that also applies to others refuses every change.
func Check(budgets []waybill.ChangeBudget, pending []Pending, variants map[string][]labels.Set, others Others) Verdict {
	own := map[string][]labels.Set{}
	for namespace, sets := range variants {
		own[namespace] = slices.Clone(sets)
	}
	changes := make([]*change, len(pending))
	for i, p := range pending {
		changes[i] = &change{Pending: p}
		own[p.Namespace] = append(own[p.Namespace], p.Labels)
	}
	slices.SortStableFunc(changes, func(a, b *change) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	budgets = slices.SortedStableFunc(slices.Values(budgets), func(a, b waybill.ChangeBudget) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	var v Verdict
	for i := range budgets {
		ours, theirs := own[budgets[i].Namespace], others.Labels[budgets[i].Namespace]
		if all := slices.Concat(ours, theirs); len(all) > 0 { // else nothing changes there
			v.check(&budgets[i], changes, Unmatched(&budgets[i], all), others.divided(&budgets[i], ours))
		}
	}
	for _, c := range changes {
		if len(c.refusals) > 0 {
			v.Refused = append(v.Refused, Note{c.Namespace, c.Name, strings.Join(c.refusals, "; ") + c.hint()})
		}
		if len(c.overrides) > 0 {
			v.Overrides = append(v.Overrides, Note{c.Namespace, c.Name, strings.Join(c.overrides, "; ") + "; let through because: " + c.reason()})
		}
	}
	return v
}

// change is a pending change, and what budgets say about it.
type change struct {
	Pending
	refusals, overrides []string
}

// check holds changes against one budget. unmatched says that its selector selects nothing, divided that it selects variants of several
// shards.
func (v *Verdict) check(b *waybill.ChangeBudget, changes []*change, unmatched, divided string) {
	if unmatched != "" {
		v.Unmatched = append(v.Unmatched, Note{b.Namespace, b.Name, unmatched})
	}
	if divided != "" {
		v.Divided = append(v.Divided, Note{b.Namespace, b.Name, divided})
	}
	counted, exempt := selected(b, changes, unmatched != "")
	if text := exceeds(b, counted, unmatched, divided); text != "" {
		v.Exceeded = append(v.Exceeded, Note{b.Namespace, b.Name, text})
		for _, c := range counted {
			c.refusals = append(c.refusals, text)
		}
	}
	if text := exceeds(b, slices.Concat(counted, exempt), unmatched, divided); text != "" {
		for _, c := range exempt {
			c.overrides = append(c.overrides, text)
		}
	}
}
