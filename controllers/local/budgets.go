package local

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

var _ reconciler.Budgets = (*Input)(nil)

// Budgets are the change budgets of a namespace.
func (in *Input) Budgets(_ context.Context, namespace string) (out []waybill.ChangeBudget, err error) {
	for _, b := range in.budgets {
		if b.Namespace == namespace {
			out = append(out, *b)
		}
	}
	return out, nil
}

// LabelsOfVariants are those of all variants of a namespace.
func (in *Input) LabelsOfVariants(_ context.Context, namespace string) (sets []labels.Set, err error) {
	for _, pv := range in.Variants {
		if pv.Namespace == namespace {
			sets = append(sets, pv.Labels)
		}
	}
	return sets, nil
}

// UnmatchedBudgets are the change budgets that select no variant, each with what comes near, by namespace and name. Expand
// comes before it.
func (in *Input) UnmatchedBudgets(ctx context.Context) (notes []budget.Note) {
	for _, b := range in.budgets {
		sets, _ := in.LabelsOfVariants(ctx, b.Namespace)
		if why := budget.Unmatched(b, sets); why != "" {
			notes = append(notes, budget.Note{Namespace: b.Namespace, Name: b.Name, Text: why})
		}
	}
	slices.SortFunc(notes, func(a, b budget.Note) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return notes
}

// RecordVerdict records nothing: what a budget refuses is in the reports.
func (in *Input) RecordVerdict(context.Context, []waybill.ChangeBudget, budget.Verdict) {}
