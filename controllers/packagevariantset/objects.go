package packagevariantset

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/objectcache"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// objects are the cluster's objects as a set reads and writes them.
type objects struct {
	controller *Controller
	reads      *objectcache.ReadSet
}

var _ variantset.Objects = (*objects)(nil)

// Repositories are all Repository objects of a namespace.
func (o *objects) Repositories(ctx context.Context, namespace string) (out []variantset.Object, err error) {
	var list porchconfig.RepositoryList
	err = o.controller.client.List(ctx, &list, client.InNamespace(namespace), client.UnsafeDisableDeepCopy)
	for i := range list.Items {
		r := &list.Items[i]
		out = append(out, variantset.Object{Name: r.Name, Namespace: namespace, Labels: r.Labels, Annotations: r.Annotations})
	}
	return out, err
}

// List is all objects of a kind in a namespace. Secrets are not read, not even by name.
func (o *objects) List(ctx context.Context, namespace string, kind variantset.Kind) (out []variantset.Object, err error) {
	if kind.APIVersion == "v1" && kind.Kind == "Secret" {
		return nil, errors.New("objects of kind Secret cannot be selected")
	}
	list, err := o.reads.Lister(ctx, namespace)(kind.APIVersion, kind.Kind)
	for _, obj := range list {
		out = append(out, variantset.NewObject(obj, namespace))
	}
	return out, err
}

// Variants are all PackageVariants of the set's namespace: one that is not the set's may be in its way.
func (o *objects) Variants(ctx context.Context, set *v1alpha2.PackageVariantSet) ([]porchconfig.PackageVariant, error) {
	var list porchconfig.PackageVariantList
	err := o.controller.client.List(ctx, &list, client.InNamespace(set.Namespace))
	return list.Items, err
}

// Create creates a PackageVariant. It succeeds where that exists already as it is wanted, and only the cache lacks it.
func (o *objects) Create(ctx context.Context, pv *porchconfig.PackageVariant) error {
	wanted := pv.DeepCopy()
	err := o.controller.client.Create(ctx, pv)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	var there porchconfig.PackageVariant
	if readErr := o.controller.server.Get(ctx, client.ObjectKeyFromObject(wanted), &there); readErr != nil {
		return errors.Join(err, readErr)
	}
	if there.Labels[variantset.Label] == wanted.Labels[variantset.Label] && equality.Semantic.DeepEqual(there.Spec, wanted.Spec) {
		return nil
	}
	return err
}

// Update updates a PackageVariant that has not changed since it was read.
func (o *objects) Update(ctx context.Context, pv *porchconfig.PackageVariant) error {
	return o.controller.client.Update(ctx, pv)
}

// Delete deletes this very PackageVariant, and not another one of its name.
func (o *objects) Delete(ctx context.Context, pv *porchconfig.PackageVariant) error {
	return client.IgnoreNotFound(o.controller.client.Delete(ctx, pv, client.Preconditions{UID: &pv.UID}))
}

// isStale reports whether a set was reconciled with objects that have changed since.
func isStale(err error) bool {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range many.Unwrap() {
			if isStale(one) {
				return true
			}
		}
	}
	return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err)
}
