package local

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/manifests"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// Expand reconciles the sets: their variants join Variants, and so do, as deleted, those that a set
// made before and no longer wants.
func (in *Input) Expand(ctx context.Context, repos snapshot.Repositories) []variantset.Report {
	reports := make([]variantset.Report, 0, len(in.Sets))
	for _, set := range in.Sets {
		objects := &objects{in: in, repos: repos, set: set}
		r := variantset.Reconciler{Objects: objects, Repositories: repos}
		rep := r.Reconcile(ctx, set)
		if !set.DeletionTimestamp.IsZero() {
			rep.Deleted, rep.Err = objects.collect(ctx)
		}
		if rep.Err != nil {
			in.unexpanded = append(in.unexpanded, Key{Namespace: set.Namespace, Name: set.Name})
		}
		reports = append(reports, rep)
	}
	manifests.SortByName(in.Variants)
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
	repos snapshot.Repositories
	set   *v1alpha2.PackageVariantSet
}

var _ variantset.Objects = (*objects)(nil)

func (o *objects) Repositories(_ context.Context, namespace string) (out []variantset.Object, err error) {
	for _, key := range o.in.repositoryKeys() {
		if r := o.in.RepositoryObjects[key]; key.Namespace == namespace {
			out = append(out, variantset.Object{Name: r.Name, Namespace: namespace, Labels: r.Labels, Annotations: r.Annotations})
		}
	}
	return out, nil
}

// List lists what the files hold. A kind of which they hold nothing at all may be misspelt, and is
// taken for one that does not exist: an empty list would delete every variant that was made before.
func (o *objects) List(_ context.Context, namespace string, kind variantset.Kind) ([]variantset.Object, error) {
	var out []variantset.Object
	objects, known := o.in.ByKind[kind]
	for _, obj := range objects {
		if ns := obj.Namespace(); ns == namespace || ns == "" && namespace == manifests.DefaultNamespace {
			out = append(out, variantset.NewObject(obj, namespace))
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

// Variants lists those of the files, and those that the set made before, as Git shows.
func (o *objects) Variants(ctx context.Context, set *v1alpha2.PackageVariantSet) (out []porchconfig.PackageVariant, err error) {
	for _, pv := range o.in.Variants {
		if pv.Namespace == set.Namespace {
			out = append(out, *pv)
		}
	}
	previous, err := o.previous(ctx, set)
	for _, pv := range previous {
		if !pv.Spec.Orphans() { // else nothing is left to retire
			out = append(out, pv)
		}
	}
	if err == nil {
		if slip := o.in.NearMiss(set); slip != nil {
			err = &variantset.KeepError{Err: slip}
		}
	}
	return out, err
}

// previous are the variants that a set made before and that are not among the objects: an API server would have kept
// the objects. If a Repository cannot be read, they are those that the other Repositories show, and the error is a
// *KeepError.
func (o *objects) previous(ctx context.Context, set *v1alpha2.PackageVariantSet) ([]porchconfig.PackageVariant, error) {
	names, err := o.repos.Names(ctx, set.Namespace)
	if err != nil {
		return nil, err
	}
	var all []revision.Revision
	var unread []error
	for _, name := range names {
		repo, err := o.repos.Repository(ctx, set.Namespace, name)
		if err == nil {
			var revisions []revision.Revision
			revisions, err = repo.Store.List()
			all = append(all, revisions...)
		}
		if err != nil {
			unread = append(unread, err)
		}
	}
	variants := slices.DeleteFunc(variantset.Previous(set, all, names), func(pv porchconfig.PackageVariant) bool {
		return slices.ContainsFunc(o.in.Variants, same(&pv))
	})
	if len(unread) > 0 {
		return variants, &variantset.KeepError{Err: fmt.Errorf("a Repository cannot be read, which may show what the set made before; "+
			"make it readable, or delete the Repository object: %w", errors.Join(unread...))}
	}
	return variants, nil
}

// collect deletes the variants of a set that is being deleted, as garbage collection does in a cluster. Those that leave their
// packages behind go again with each run, which changes nothing: it lets others adopt the packages.
func (o *objects) collect(ctx context.Context) (names []string, err error) {
	if err := o.set.Validate(); err != nil {
		return nil, err // a misspelt deletion policy is none
	}
	variants, err := o.previous(ctx, o.set)
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
	variantset.SetOwner(o.set, pv)
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
