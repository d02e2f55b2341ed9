package packagevariant

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// finalizer keeps a PackageVariant until what it made is retired.
const finalizer = "config.porch.kpt.dev/packagevariants"

// addFinalizer adds the finalizer. It fails where another client changed or deleted the PackageVariant.
func (w *statusWriter) addFinalizer(ctx context.Context, pv *porchconfig.PackageVariant) error {
	before := pv.DeepCopy()
	if !controllerutil.AddFinalizer(pv, finalizer) {
		return nil
	}
	return w.client.Patch(ctx, pv, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}

// removeFinalizer lets the API server delete the PackageVariant.
func (w *statusWriter) removeFinalizer(ctx context.Context, pv *porchconfig.PackageVariant) error {
	return w.retryOnConflict(ctx, pv, func(now *porchconfig.PackageVariant) error {
		before := now.DeepCopy()
		if !controllerutil.RemoveFinalizer(now, finalizer) {
			return nil
		}
		return w.client.Patch(ctx, now, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	})
}
