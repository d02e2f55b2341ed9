package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/packagevariantset"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// setObjects are the cluster's objects as a set sees and writes them.
type setObjects struct {
	*sets
	asking *asking
}

var _ packagevariantset.Objects = (*setObjects)(nil)

// Repositories are all Repository objects of a namespace.
func (o *setObjects) Repositories(ctx context.Context, namespace string) (out []variantset.Object, err error) {
	var list porchconfig.RepositoryList
	err = o.cache.List(ctx, &list, client.InNamespace(namespace), client.UnsafeDisableDeepCopy)
	for i := range list.Items {
		r := &list.Items[i]
		out = append(out, variantset.Object{Name: r.Name, Namespace: namespace, Labels: r.Labels, Annotations: r.Annotations})
	}
	return out, err
}

// List is all objects of a kind in a namespace. Secrets are not looked at, not even by name.
func (o *setObjects) List(ctx context.Context, namespace string, kind variantset.Kind) (out []variantset.Object, err error) {
	if kind.APIVersion == "v1" && kind.Kind == "Secret" {
		return nil, errors.New("objects of kind Secret cannot be selected")
	}
	objects, err := o.asking.lister(ctx, namespace)(kind.APIVersion, kind.Kind)
	for _, obj := range objects {
		out = append(out, variantset.Object{Name: obj.Name(), Namespace: namespace, Labels: obj.Labels(), Annotations: obj.Annotations()})
	}
	return out, err
}

// Variants are all PackageVariants of the set's namespace: one that is not the set's may be in its way.
func (o *setObjects) Variants(ctx context.Context, set *v1alpha2.PackageVariantSet) ([]porchconfig.PackageVariant, error) {
	var list porchconfig.PackageVariantList
	err := o.cache.List(ctx, &list, client.InNamespace(set.Namespace))
	return list.Items, err
}

// Create creates a variant. That it is there already as it is wanted, and only not known yet, is no
// fault.
func (o *setObjects) Create(ctx context.Context, pv *porchconfig.PackageVariant) error {
	wanted := pv.DeepCopy()
	err := o.client.Create(ctx, pv)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	var there porchconfig.PackageVariant
	if readErr := o.live.Get(ctx, client.ObjectKeyFromObject(wanted), &there); readErr != nil {
		return errors.Join(err, readErr)
	}
	if there.Labels[variantset.Label] == wanted.Labels[variantset.Label] && equality.Semantic.DeepEqual(there.Spec, wanted.Spec) {
		return nil
	}
	return err
}

// Update updates a variant, if it is still as it was seen.
func (o *setObjects) Update(ctx context.Context, pv *porchconfig.PackageVariant) error {
	return o.client.Update(ctx, pv)
}

// Delete deletes this very variant.
func (o *setObjects) Delete(ctx context.Context, pv *porchconfig.PackageVariant) error {
	return client.IgnoreNotFound(o.client.Delete(ctx, pv, client.Preconditions{UID: &pv.UID}))
}

// overtaken reports whether a set was worked by what is true no more: the next look is another one.
func overtaken(err error) bool {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range many.Unwrap() {
			if overtaken(one) {
				return true
			}
		}
	}
	return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err)
}

// report writes what came of a set into its status, and into an event when that is something else.
func (s *sets) report(ctx context.Context, set *v1alpha2.PackageVariantSet, rep packagevariantset.Report) error {
	before := set.DeepCopy()
	for _, c := range rep.Conditions {
		setCondition(&set.Status.Conditions, c, s.options.Now())
	}
	if wrote := len(rep.Created) + len(rep.Updated) + len(rep.Deleted); wrote > 0 {
		s.options.Log.Info("set", "namespace", set.Namespace, "set", set.Name, "created", len(rep.Created), "updated", len(rep.Updated),
			"deleted", len(rep.Deleted))
	}
	s.tell(set, rep)
	if equality.Semantic.DeepEqual(before.Status, set.Status) {
		return nil
	}
	if rep.Err != nil {
		s.events.warn(set, "Failed", reasonOf(rep), rep.Err.Error())
	}
	return client.IgnoreNotFound(s.client.Status().Patch(ctx, set, client.MergeFrom(before)))
}

// tell makes an event of each thing that was done to variants.
func (s *sets) tell(set *v1alpha2.PackageVariantSet, rep packagevariantset.Report) {
	for _, did := range []struct {
		reason, action string
		names          []string
	}{
		{"VariantsCreated", "Create", rep.Created}, {"VariantsUpdated", "Update", rep.Updated}, {"VariantsDeleted", "Delete", rep.Deleted},
	} {
		if len(did.names) == 0 {
			continue
		}
		first := &porchconfig.PackageVariant{
			TypeMeta:   metav1.TypeMeta{APIVersion: porchconfig.APIVersion, Kind: porchconfig.KindPackageVariant},
			ObjectMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: did.names[0]},
		}
		s.events.sayOf(set, first, did.reason, did.action, fmt.Sprintf("%d: %s", len(did.names), strings.Join(did.names, ", ")))
	}
}

// reasonOf is the reason of a set's Ready condition.
func reasonOf(rep packagevariantset.Report) string {
	if c := meta.FindStatusCondition(rep.Conditions, porchconfig.ConditionReady); c != nil {
		return c.Reason
	}
	return "Reconcile"
}
