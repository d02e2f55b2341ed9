package repository

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
)

// changed are the updates of a Repository that need a poll: of its spec, and of the labels that may move it to this shard.
func (o *Options) changed() predicate.Predicate {
	if o.Shard.IsWhole() {
		return predicate.GenerationChangedPredicate{}
	}
	return predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{})
}

// isNeeded reports whether this process has to read a repository. Every shard reads all repositories of a namespace in which it has
// an object, since PackageVariants ask all of them what they hold, and none of the others.
func (r *Reconciler) isNeeded(ctx context.Context, obj *porchconfig.Repository) (needed bool, err error) {
	if r.options.Shard.Owns(obj) || client.ObjectKeyFromObject(obj) == r.cache.status {
		return true, nil
	}
	lists := []client.ObjectList{&porchconfig.RepositoryList{}, &porchconfig.PackageVariantList{}, &v1alpha2.PackageVariantSetList{}}
	for _, list := range lists {
		if err := r.client.List(ctx, list, client.InNamespace(obj.Namespace), client.UnsafeDisableDeepCopy); err != nil {
			return false, err
		}
		_ = meta.EachListItem(list, func(item runtime.Object) error { // the function never fails
			needed = needed || r.options.Shard.Owns(item.(client.Object))
			return nil
		})
		if needed {
			return true, nil
		}
	}
	return false, nil
}
