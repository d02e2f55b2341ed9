package local

import (
	"context"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
)

var _ packagevariant.Budgets = (*Input)(nil)

// Budgets are the change budgets of a namespace.
func (in *Input) Budgets(_ context.Context, namespace string) (out []waybill.ChangeBudget, err error) {
	for _, b := range in.budgets {
		if b.Namespace == namespace {
			out = append(out, *b)
		}
	}
	return out, nil
}

// Held has nothing to write to: what a budget refuses stands in the reports.
func (in *Input) Held(context.Context, []waybill.ChangeBudget, budget.Verdict) {}
