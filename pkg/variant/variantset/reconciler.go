package variantset

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Objects reads and writes the objects of an API server, or of files.
type Objects interface {
	// Repositories lists all Repository objects of a namespace.
	Repositories(ctx context.Context, namespace string) ([]Object, error)
	// List lists all objects of a kind in a namespace. The error of a kind that does not exist is as
	// Listing wants it.
	List(ctx context.Context, namespace string, kind Kind) ([]Object, error)
	// Variants lists the PackageVariants that may belong to set. The caller may change them. With a
	// *KeepError none of them may be deleted.
	Variants(ctx context.Context, set *v1alpha2.PackageVariantSet) ([]porchconfig.PackageVariant, error)

	Create(ctx context.Context, pv *porchconfig.PackageVariant) error
	Update(ctx context.Context, pv *porchconfig.PackageVariant) error
	Delete(ctx context.Context, pv *porchconfig.PackageVariant) error
}

// KeepError says why no variant of a set may be deleted now: it is not certain what the set made, or what it selects.
type KeepError struct{ Err error }

func (e *KeepError) Error() string { return "nothing is deleted while " + e.Err.Error() }

func (e *KeepError) Unwrap() error { return e.Err }

// Reconciler reconciles PackageVariantSets.
type Reconciler struct {
	Objects      Objects
	Repositories snapshot.Repositories
	// CopiedLabels are the keys of labels that a set copies to its variants.
	CopiedLabels []string
}

// Report is the result of reconciling one set. It holds no times: the same failure twice is the same
// Report.
type Report struct {
	Namespace  string             `json:"namespace,omitempty"`
	Name       string             `json:"name"`
	Created    []string           `json:"created,omitempty"` // names of variants, sorted
	Updated    []string           `json:"updated,omitempty"`
	Deleted    []string           `json:"deleted,omitempty"`
	Waiting    []string           `json:"waiting,omitempty"` // wanted, and being deleted
	Conditions []metav1.Condition `json:"conditions"`
	// Unmatched are selectors that select nothing, which is no error.
	Unmatched []string `json:"unmatched,omitempty"`
	// Depends says which changes need another reconcile of the set.
	Depends Dependencies `json:"-"`
	Err     error        `json:"-"`
}

// Reconcile does what set wants now and reports it.
func (r *Reconciler) Reconcile(ctx context.Context, set *v1alpha2.PackageVariantSet) Report {
	rep := Report{Namespace: set.Namespace, Name: set.Name}
	state, err := r.observe(ctx, set)
	plan := Plan{Reason: ReasonReconciled}
	var keep *KeepError
	if err == nil || errors.As(err, &keep) {
		plan = Decide(set, state)
		if err = plan.Err(); err == nil {
			err = r.execute(ctx, plan, keep, &rep)
		}
	}
	rep.Conditions, rep.Depends, rep.Waiting, rep.Unmatched, rep.Err = Conditions(plan, err), plan.Depends,
		plan.Waiting, plan.Unmatched, err
	return rep
}

// observe reads, and writes nothing.
func (r *Reconciler) observe(ctx context.Context, set *v1alpha2.PackageVariantSet) (w State, err error) {
	if !set.DeletionTimestamp.IsZero() || set.Validate() != nil {
		return w, nil // Decide needs no state for that
	}
	if w.Upstream, err = r.upstream(ctx, set); err != nil {
		return w, fmt.Errorf("upstream: %w", err)
	}
	if w.Repositories, err = r.Objects.Repositories(ctx, set.Namespace); err != nil {
		return w, err
	}
	for _, kind := range Kinds(set) {
		l := Listing{Kind: kind}
		l.Objects, l.Err = r.Objects.List(ctx, set.Namespace, kind)
		w.Listings = append(w.Listings, l)
	}
	w.CopiedLabels = r.CopiedLabels
	w.Variants, err = r.Objects.Variants(ctx, set)
	return w, err
}

// upstream lists the revisions of the upstream package; where there is no such repository there are
// none.
func (r *Reconciler) upstream(ctx context.Context, set *v1alpha2.PackageVariantSet) ([]variant.Described, error) {
	repo, err := r.Repositories.Repository(ctx, set.Namespace, set.Spec.Upstream.Repo)
	if snapshot.IsNoRepository(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return repo.Revisions(set.Spec.Upstream.Package, func(all []variant.Described) *variant.Described {
		found, _ := findUpstream(set.Spec.Upstream, all) // Decide reports why none is
		return found
	})
}

// execute does what a plan says, deletions last, and only when all else succeeded: the replacement of a variant exists
// before that variant is deleted, as it may show the same revisions through another Repository. With a KeepError none is
// deleted. Each write is safe to repeat.
func (r *Reconciler) execute(ctx context.Context, plan Plan, keep *KeepError, rep *Report) error {
	var faults []error
	each := func(verb string, pvs []*porchconfig.PackageVariant, do func(context.Context, *porchconfig.PackageVariant) error, done *[]string) {
		for _, pv := range pvs {
			if err := do(ctx, pv); err != nil {
				faults = append(faults, fmt.Errorf("%s PackageVariant %q: %w", verb, pv.Name, err))
				continue
			}
			*done = append(*done, pv.Name)
		}
	}
	each("update", plan.Update, r.Objects.Update, &rep.Updated)
	each("create", plan.Create, r.Objects.Create, &rep.Created)
	switch {
	case keep != nil && len(plan.Delete) > 0:
		faults = append(faults, fmt.Errorf("PackageVariant %q is no longer wanted: %w", plan.Delete[0].Name, keep))
	case len(faults) == 0:
		each("delete", plan.Delete, r.Objects.Delete, &rep.Deleted)
	}
	return errors.Join(faults...)
}
