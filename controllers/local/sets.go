package local

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// Expand reconciles the sets: their variants join Variants, and so do, as deleted, those that a set
// made before and no longer wants.
func (in *Input) Expand(ctx context.Context, repos *Repositories) []variantset.Report {
	reports := make([]variantset.Report, 0, len(in.Sets))
	for _, set := range in.Sets {
		objects := &objects{in: in, repos: repos, set: set}
		r := variantset.Reconciler{Objects: objects, Repositories: repos}
		rep := r.Reconcile(ctx, set)
		if !set.DeletionTimestamp.IsZero() {
			rep.Deleted, rep.Err = objects.collect(ctx)
		}
		if rep.Err != nil {
			in.unexpanded = append(in.unexpanded, Key{set.Namespace, set.Name})
		}
		reports = append(reports, rep)
	}
	sortByName(in.Variants)
	return reports
}

// Unexpanded names the sets of a namespace that Expand failed to expand, or not in all.
func (in *Input) Unexpanded(namespace string) (names []string) {
	for _, key := range in.unexpanded {
		if key.Namespace == namespace {
			names = append(names, key.Name)
		}
	}
	return names
}

// objects are those of an Input, to which a set adds its variants.
type objects struct {
	in    *Input
	repos *Repositories
	set   *v1alpha2.PackageVariantSet
}

var _ variantset.Objects = (*objects)(nil)

func (o *objects) Repositories(_ context.Context, namespace string) (out []variantset.Object, err error) {
	for _, key := range o.repos.Keys() {
		if r := o.in.repositories[key]; key.Namespace == namespace {
			out = append(out, variantset.Object{Name: r.Name, Namespace: namespace, Labels: r.Labels, Annotations: r.Annotations})
		}
	}
	return out, nil
}

// List lists what the files hold. A kind of which they hold nothing at all may be misspelt, and is
// taken for one that does not exist: an empty list would delete every variant that was made before.
func (o *objects) List(_ context.Context, namespace string, kind variantset.Kind) ([]variantset.Object, error) {
	var out []variantset.Object
	objects, known := o.in.objects[kind]
	for _, obj := range objects {
		if ns := obj.Namespace(); ns == namespace || ns == "" && namespace == defaultNamespace {
			out = append(out, seen(obj, namespace))
		}
	}
	if !known {
		gv, err := schema.ParseGroupVersion(kind.APIVersion)
		if err != nil {
			return nil, err
		}
		return nil, &meta.NoKindMatchError{GroupKind: gv.WithKind(kind.Kind).GroupKind(), SearchedVersions: []string{gv.Version}}
	}
	return out, nil
}

// seen is what a set sees of an object.
func seen(o *krm.Object, namespace string) variantset.Object {
	return variantset.Object{Name: o.Name(), Namespace: namespace, Labels: o.Labels(), Annotations: o.Annotations()}
}

// Variants are those of the files, and what Git tells of those that the set made before.
func (o *objects) Variants(ctx context.Context, set *v1alpha2.PackageVariantSet) (out []porchconfig.PackageVariant, err error) {
	for _, pv := range o.in.Variants {
		if pv.Namespace == set.Namespace {
			out = append(out, *pv)
		}
	}
	out, err = o.remembered(ctx, set, out)
	if err == nil {
		err = o.in.checkOverlooked(set)
	}
	return out, err
}

// collect deletes the variants of a set that is going, as garbage collection does in a cluster. Those that leave their
// packages behind go again with each run, which changes nothing: it lets others adopt the packages.
func (o *objects) collect(ctx context.Context) (names []string, err error) {
	if err := o.set.Validate(); err != nil {
		return nil, err // a misspelt deletion policy is none
	}
	variants, err := o.recalled(ctx, o.set)
	if err != nil {
		return nil, err // among those that are not known may be one that shows the same
	}
	for i := range variants {
		if !variants[i].Spec.Orphans() {
			names = append(names, variants[i].Name)
		}
		_ = o.Delete(ctx, &variants[i]) // cannot fail
	}
	return names, nil
}

func (o *objects) Create(_ context.Context, pv *porchconfig.PackageVariant) error {
	if slices.ContainsFunc(o.in.Variants, same(pv)) {
		return apierrors.NewAlreadyExists(schema.GroupResource{Group: porchconfig.Group, Resource: "packagevariants"}, pv.Name)
	}
	own(o.set, pv)
	o.in.Variants = append(o.in.Variants, pv)
	return nil
}

func (o *objects) Update(_ context.Context, pv *porchconfig.PackageVariant) error {
	o.in.Variants = append(slices.DeleteFunc(o.in.Variants, same(pv)), pv)
	return nil
}

func (o *objects) Delete(_ context.Context, pv *porchconfig.PackageVariant) error {
	now := metav1.Unix(0, 0) // any time will do
	pv.DeletionTimestamp = &now
	return o.Update(context.Background(), pv)
}

// same finds the variant of that name.
func same(pv *porchconfig.PackageVariant) func(*porchconfig.PackageVariant) bool {
	return func(other *porchconfig.PackageVariant) bool {
		return other.Namespace == pv.Namespace && other.Name == pv.Name
	}
}
