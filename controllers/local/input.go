package local

import (
	"context"
	"errors"
	"io"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
	"github.com/waybill-dev/waybill/pkg/variant/manifests"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// Key names a namespaced object.
type Key = types.NamespacedName

// Input is the objects of files. Expand adds to Variants those of Sets.
type Input struct {
	*manifests.Manifests
	unexpanded []Key // Sets whose variants are not known
}

// Read reads every object of the files, of the files below the folders, and, for "-", of stdin.
// Two objects of one identity are an error. If only PackageVariants cannot be read, it is a *manifests.UnreadableError, and
// the Input can be used.
func Read(paths []string, stdin io.Reader) (*Input, error) {
	m, err := manifests.Read(paths, stdin)
	var some *manifests.UnreadableError
	if err != nil && !errors.As(err, &some) {
		return nil, err
	}
	return &Input{Manifests: m}, err
}

// ReadRepositories is Read for callers that need no PackageVariants: it does not matter if some cannot be read.
func ReadRepositories(paths []string, stdin io.Reader) (*Input, error) {
	in, err := Read(paths, stdin)
	var some *manifests.UnreadableError
	if errors.As(err, &some) {
		err = nil
	}
	return in, err
}

// Lister lists the context objects of a namespace.
func (in *Input) Lister(_ context.Context, namespace string) injection.Lister {
	return injection.FromObjects(in.Context, namespace)
}

var _ reconciler.Budgets = (*Input)(nil)

// Budgets are the change budgets of a namespace.
func (in *Input) Budgets(_ context.Context, namespace string) (out []waybill.ChangeBudget, err error) {
	for _, b := range in.ChangeBudgets {
		if b.Namespace == namespace {
			out = append(out, *b)
		}
	}
	return out, nil
}

// UnmatchedBudgets returns the change budgets that select no variant, each with what is similar, by namespace and name. Call
// Expand first.
func (in *Input) UnmatchedBudgets() (notes []budget.Note) {
	variants := map[string][]labels.Set{}
	for _, pv := range in.Variants {
		variants[pv.Namespace] = append(variants[pv.Namespace], pv.Labels)
	}
	for _, b := range in.ChangeBudgets {
		if why := budget.Unmatched(b, variants[b.Namespace]); why != "" {
			notes = append(notes, budget.Note{Namespace: b.Namespace, Name: b.Name, Text: why})
		}
	}
	slices.SortFunc(notes, budget.Note.Compare)
	return notes
}

// RecordVerdict records nothing: what a budget refuses is in the reports.
func (in *Input) RecordVerdict(context.Context, []waybill.ChangeBudget, budget.Verdict) {}
