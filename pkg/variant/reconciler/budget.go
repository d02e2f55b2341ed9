package reconciler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
)

// Budgets are the change budgets that a batch is held against.
type Budgets interface {
	// Budgets returns those of a namespace.
	Budgets(ctx context.Context, namespace string) ([]waybill.ChangeBudget, error)
	// RecordVerdict is called with what the budgets of a namespace say to a batch.
	RecordVerdict(ctx context.Context, budgets []waybill.ChangeBudget, verdict budget.Verdict)
}

// budgetError says which budgets keep a variant from changing anything.
type budgetError string

func (e budgetError) Error() string { return string(e) }

// isOverBudget reports whether budgets refused a change.
func isOverBudget(err error) bool {
	var over budgetError
	return errors.As(err, &over)
}

// enforceBudgets holds what is about to be written against the budgets, together with everything else that
// the batch writes. A task that they refuse gets that error; nothing of it is written. Only these
// tasks are changed.
func (b *batch) enforceBudgets(ctx context.Context, tasks []*task) {
	if b.Budgets == nil {
		return
	}
	byNamespace := map[string][]*task{}
	for _, t := range tasks {
		byNamespace[t.pv.Namespace] = append(byNamespace[t.pv.Namespace], t)
	}
	for _, namespace := range slices.Sorted(maps.Keys(byNamespace)) {
		if err := b.enforceBudgetsOf(ctx, namespace, byNamespace[namespace]); err != nil {
			for _, t := range byNamespace[namespace] {
				t.refuse(fmt.Errorf("change budgets: %w", err))
			}
		}
	}
}

// enforceBudgetsOf holds the tasks of one namespace against its budgets.
func (b *batch) enforceBudgetsOf(ctx context.Context, namespace string, tasks []*task) error {
	budgets, err := b.Budgets.Budgets(ctx, namespace)
	if err != nil || len(budgets) == 0 {
		return err
	}
	own, others, err := b.labelSets(ctx, namespace)
	if err != nil {
		return err
	}
	budgets = budget.OfShard(budgets, own, others)
	var pending []budget.Pending
	for _, t := range b.tasks {
		if t == nil || t.pv.Namespace != namespace { // nil is done, or not prepared yet
			continue
		}
		change, err := t.changes()
		if err != nil {
			return err
		}
		pending = append(pending, budget.Pending{
			Namespace: namespace, Name: t.pv.Name, Labels: t.pv.Labels, Annotations: t.pv.Annotations, Change: change,
		})
	}
	verdict := budget.Check(budgets, pending, map[string][]labels.Set{namespace: own},
		budget.Others{Labels: map[string][]labels.Set{namespace: others}, ByName: b.Shard.Count > 1})
	b.Budgets.RecordVerdict(ctx, budgets, verdict)
	for _, t := range tasks {
		if text := budget.NoteOn(verdict.Refused, namespace, t.pv.Name); text != "" {
			t.refuse(budgetError(text))
		}
		if text := budget.NoteOn(verdict.Overrides, namespace, t.pv.Name); text != "" {
			t.addTrailer(revision.Trailer{Key: revision.TrailerExceedsBudget, Value: text})
		}
	}
	return nil
}

// labelSets are the labels of all variants of a namespace, where they are known: of those that this process changes, and of others.
func (b *batch) labelSets(ctx context.Context, namespace string) (own, others []labels.Set, err error) {
	if b.Variants == nil {
		return nil, nil, nil
	}
	pvs, err := b.Variants(ctx, namespace)
	for _, pv := range pvs {
		if b.Shard.Owns(pv) {
			own = append(own, pv.Labels)
		} else {
			others = append(others, pv.Labels)
		}
	}
	return own, others, err
}

// changes counts how much of what is published the task is about to change: by a draft that is made or
// updated, and by what it proposes to delete.
func (t *task) changes() (sum budget.Change, err error) {
	if t.err != nil {
		return sum, nil
	}
	if t.outcome.writesDraft() {
		published, err := t.state.published()
		if err != nil {
			return sum, err
		}
		sum = budget.Count(published, t.outcome.content)
	}
	for _, old := range t.plan.Retire {
		rev := t.state.revisions[old.Revision.Name]
		if old.Action != variant.ProposeDeletion || !rev.Latest {
			continue
		}
		content, err := rev.Content()
		if err != nil {
			return sum, err
		}
		sum = budget.Sum(sum, budget.Count(content, pkgtree.Tree{}))
	}
	return sum, nil
}

// published reads the newest published revision of the downstream package; the zero Tree where there is none.
func (s *state) published() (pkgtree.Tree, error) {
	for _, rev := range s.Downstream {
		if r := s.revisions[rev.Name]; r.Latest && r.In == s.downstream {
			return r.Content()
		}
	}
	return pkgtree.Tree{}, nil
}

// refuse keeps the task from writing anything. A task that has nothing to write, or has failed, stays
// as it is.
func (t *task) refuse(err error) {
	if t.err == nil && (t.outcome.writesDraft() || len(t.plan.Retire) > 0) {
		t.err = err
	}
}

// addTrailer adds a trailer to the commits that the task makes.
func (t *task) addTrailer(trailer revision.Trailer) {
	if t.outcome.create != nil {
		t.outcome.create.Trailers = append(t.outcome.create.Trailers, trailer)
	}
	for i := range t.outcome.updates {
		t.outcome.updates[i].to.Trailers = append(t.outcome.updates[i].to.Trailers, trailer)
	}
}
