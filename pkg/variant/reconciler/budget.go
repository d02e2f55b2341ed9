package reconciler

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
)

// Budgets are the change budgets that a pass is held against.
type Budgets interface {
	// Budgets are those of a namespace.
	Budgets(ctx context.Context, namespace string) ([]waybill.ChangeBudget, error)
	// LabelsOfVariants are those of all PackageVariants of a namespace.
	LabelsOfVariants(ctx context.Context, namespace string) ([]labels.Set, error)
	// Held is told what the budgets of a namespace said to a pass.
	Held(ctx context.Context, budgets []waybill.ChangeBudget, said budget.Verdict)
}

// BudgetError says which budgets keep a variant from changing anything.
type BudgetError struct{ Reason string }

func (e *BudgetError) Error() string { return e.Reason }

// spend holds what is about to be written against the budgets, together with everything else that
// this pass writes. A try that they refuse has that error; nothing of it is written. Only those of
// tries are changed.
func (p *pass) spend(ctx context.Context, tries []*try) {
	if p.Budgets == nil {
		return
	}
	for _, namespace := range namespaces(tries) {
		of := func(all []*try) []*try {
			return slices.DeleteFunc(slices.Clone(all), func(t *try) bool { return t.pv.Namespace != namespace })
		}
		if err := p.spendIn(ctx, namespace, of(p.counted), of(tries)); err != nil {
			for _, t := range of(tries) {
				t.refuse(fmt.Errorf("change budgets: %w", err))
			}
		}
	}
}

func namespaces(tries []*try) (out []string) {
	for _, t := range tries {
		out = append(out, t.pv.Namespace)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// spendIn holds the tries of one namespace against its budgets.
func (p *pass) spendIn(ctx context.Context, namespace string, counted, tries []*try) error {
	budgets, err := p.Budgets.Budgets(ctx, namespace)
	if err != nil || len(budgets) == 0 {
		return err
	}
	var pending []budget.Pending
	for _, t := range counted {
		change, err := t.changes()
		if err != nil {
			return err
		}
		pending = append(pending, budget.Pending{
			Namespace: namespace, Name: t.pv.Name, Labels: t.pv.Labels, Annotations: t.pv.Annotations, Change: change,
		})
	}
	variants, err := p.Budgets.LabelsOfVariants(ctx, namespace)
	if err != nil {
		return err
	}
	verdict := budget.Check(budgets, pending, map[string][]labels.Set{namespace: variants})
	p.Budgets.Held(ctx, budgets, verdict)
	for _, t := range tries {
		if text, refused := noted(verdict.Refused, t.pv.Name); refused {
			t.refuse(&BudgetError{text})
		}
		if text, may := noted(verdict.Overrides, t.pv.Name); may {
			t.record(revision.Trailer{Key: revision.TrailerExceedsBudget, Value: text})
		}
	}
	return nil
}

func noted(notes []budget.Note, name string) (string, bool) {
	i := slices.IndexFunc(notes, func(n budget.Note) bool { return n.Name == name })
	if i < 0 {
		return "", false
	}
	return notes[i].Text, true
}

// changes is how much of what is published the try is about to change: by a draft that is made or
// updated, and by what it proposes to delete.
func (t *try) changes() (sum budget.Change, err error) {
	if t.err != nil || t.actor == nil {
		return sum, nil
	}
	if t.did.create != nil || len(t.did.updates) > 0 {
		published, err := t.actor.published()
		if err != nil {
			return sum, err
		}
		sum = budget.Count(published, t.did.content)
	}
	for _, old := range t.plan.Retire {
		rev := t.actor.revisions[old.Revision.Name]
		if old.Action != variant.ProposeDeletion || !rev.Latest {
			continue
		}
		content, err := rev.content()
		if err != nil {
			return sum, err
		}
		sum = sum.Plus(budget.Count(content, pkgtree.Tree{}))
	}
	return sum, nil
}

// published is what the newest published revision of the downstream holds; nothing where there is none.
func (w *world) published() (pkgtree.Tree, error) {
	for _, rev := range w.Downstream {
		if f := w.revisions[rev.Name]; f.Latest && f.repo == w.downstream {
			return f.content()
		}
	}
	return pkgtree.Tree{}, nil
}

// refuse keeps the try from writing anything. A try that has nothing to write, or has failed, stays
// as it is.
func (t *try) refuse(err error) {
	if t.err == nil && (t.did.create != nil || len(t.did.updates) > 0 || len(t.plan.Retire) > 0) {
		t.err = err
	}
}

// record adds a trailer to the commits that the try makes.
func (t *try) record(trailer revision.Trailer) {
	if t.did.create != nil {
		t.did.create.Trailers = append(t.did.create.Trailers, trailer)
	}
	for i := range t.did.updates {
		t.did.updates[i].to.Trailers = append(t.did.updates[i].to.Trailers, trailer)
	}
}

// overBudget reports whether budgets refused it.
func overBudget(err error) bool {
	var over *BudgetError
	return errors.As(err, &over)
}
