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

// Verdict is what budgets say to pending changes. All lists are in order of namespace and name.
type Verdict struct {
	// Exceeded are the budgets that some change is refused by.
	Exceeded []Note
	// Refused are the variants that must not change, each with what its budgets say.
	Refused []Note
	// Overrides are the variants that change in spite of budgets, each with the line that its
	// commit is to record.
	Overrides []Note
	// Unmatched are the budgets that select no variant, and what comes near.
	Unmatched []Note
}

// Note is a line about a budget or a variant.
type Note struct{ Namespace, Name, Text string }

// NoteOn returns the text of the note about a budget or variant; "" when there is none.
func NoteOn(notes []Note, namespace, name string) string {
	for _, n := range notes {
		if n.Namespace == namespace && n.Name == name {
			return n.Text
		}
	}
	return ""
}

// Check asks every budget. Of the variants of its namespace that it selects, those that change
// something are added up; when the sum is above a limit all of them are refused, since none is more
// to blame than another. A variant that waybill.ExceedReason lets pass is neither added up nor
// refused; where a budget would be exceeded if it were added up, its commit says so.
// variants are the labels of all variants of a namespace. A budget that selects none of them, nor of pending, may have a
// label that is misspelt: it is held against all of its namespace, unless it may select none.
func Check(budgets []waybill.ChangeBudget, pending []Pending, variants map[string][]labels.Set) Verdict {
	pending = slices.SortedStableFunc(slices.Values(pending), func(a, b Pending) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	budgets = slices.SortedStableFunc(slices.Values(budgets), func(a, b waybill.ChangeBudget) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	var v Verdict
	lost := unmatched(budgets, pending, variants)
	refusals, overrides := make(texts, len(pending)), make(texts, len(pending))
	for i := range budgets {
		b := &budgets[i]
		if lost[b] != "" {
			v.Unmatched = append(v.Unmatched, Note{b.Namespace, b.Name, lost[b]})
		}
		adds, exempt := selected(b, pending, lost[b] != "")
		if text := exceeds(b, pending, adds, lost[b]); text != "" {
			v.Exceeded = append(v.Exceeded, Note{b.Namespace, b.Name, text})
			refusals.add(adds, text)
		}
		if text := exceeds(b, pending, slices.Concat(adds, exempt), lost[b]); text != "" {
			overrides.add(exempt, text)
		}
	}
	v.Refused = refusals.notes(pending, func(p *Pending, text string) string { return text + p.hint() })
	v.Overrides = overrides.notes(pending, func(p *Pending, text string) string {
		return text + "; let through because: " + p.reason()
	})
	return v
}

// texts are what is said about each pending change.
type texts [][]string

func (t texts) add(to []int, text string) {
	for _, i := range to {
		t[i] = append(t[i], text)
	}
}

func (t texts) notes(pending []Pending, with func(*Pending, string) string) (notes []Note) {
	for i := range t {
		if p := &pending[i]; len(t[i]) > 0 {
			notes = append(notes, Note{p.Namespace, p.Name, with(p, strings.Join(t[i], "; "))})
		}
	}
	return notes
}
