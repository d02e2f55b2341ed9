package packagevariant

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// budgets are the cluster's ChangeBudgets.
type budgets struct {
	client  client.Client
	options Options
}

var _ reconciler.Budgets = (*budgets)(nil)

// Budgets are those of a namespace, by name. One that is being deleted counts until it is deleted.
func (b *budgets) Budgets(ctx context.Context, namespace string) ([]waybill.ChangeBudget, error) {
	var list waybill.ChangeBudgetList
	err := b.client.List(ctx, &list, client.InNamespace(namespace))
	slices.SortFunc(list.Items, func(x, y waybill.ChangeBudget) int { return cmp.Compare(x.Name, y.Name) })
	return list.Items, err
}

// RecordVerdict writes a verdict into the status of budgets. A failure is only logged: the next batch writes it again.
func (b *budgets) RecordVerdict(ctx context.Context, budgets []waybill.ChangeBudget, verdict budget.Verdict) {
	for i := range budgets {
		before, after := &budgets[i], budgets[i].DeepCopy()
		for _, c := range budgetConditions(before, verdict) {
			live.SetCondition(&after.Status.Conditions, c, b.options.Now())
		}
		after.Status.ObservedGeneration = after.Generation
		if equality.Semantic.DeepEqual(before.Status, after.Status) {
			continue
		}
		if err := b.client.Status().Patch(ctx, after, client.MergeFrom(before)); client.IgnoreNotFound(err) != nil {
			b.options.Log.Info("budget's status cannot be written", "namespace", before.Namespace, "budget", before.Name, "error", err.Error())
		}
	}
}

// budgetConditions are the conditions of a budget after a batch.
func budgetConditions(of *waybill.ChangeBudget, verdict budget.Verdict) []metav1.Condition {
	ready := metav1.Condition{Type: waybill.ConditionReady, Status: metav1.ConditionTrue, Reason: waybill.ReasonValid,
		Message: "checked in every reconcile", ObservedGeneration: of.Generation}
	if faults := validation.ChangeBudget(of); len(faults) > 0 {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, waybill.ReasonValidationError, faults.ToAggregate().Error()
	} else if why := budget.NoteOn(verdict.Unmatched, of.Namespace, of.Name); why != "" {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, waybill.ReasonSelectsNothing, why
	} else if why := budget.NoteOn(verdict.Divided, of.Namespace, of.Name); why != "" {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, waybill.ReasonSeveralShards, why
	}
	exceeded := metav1.Condition{Type: waybill.ConditionExceeded, Status: metav1.ConditionFalse, Reason: waybill.ReasonWithinBudget,
		Message: "the last reconcile was within the budget", ObservedGeneration: of.Generation}
	if why := budget.NoteOn(verdict.Exceeded, of.Namespace, of.Name); why != "" {
		exceeded.Status, exceeded.Reason, exceeded.Message = metav1.ConditionTrue, waybill.ReasonBudgetExceeded, why
	}
	return []metav1.Condition{ready, exceeded}
}
