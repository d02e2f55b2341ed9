package live

import (
	"context"
	"maps"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Watch is source.Kind, but fails at once if the API server does not know the kind: source.Kind tries for two minutes.
// changed selects the updates that count.
func Watch(c cache.Cache, kind client.Object, changed func(old, now client.Object) bool, requests handler.MapFunc) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		informer, err := c.GetInformer(ctx, kind)
		if err != nil {
			return err
		}
		return (&source.Informer{
			Informer: informer, Handler: handler.EnqueueRequestsFromMapFunc(requests),
			Predicates: []predicate.Predicate{predicate.Funcs{
				UpdateFunc: func(e event.UpdateEvent) bool { return changed(e.ObjectOld, e.ObjectNew) },
			}},
		}).Start(ctx, queue)
	})
}

// Changed reports whether an update changes more than the status of an object.
func Changed(old, now client.Object) bool {
	return old.GetUID() != now.GetUID() || old.GetGeneration() != now.GetGeneration() ||
		!old.GetDeletionTimestamp().Equal(now.GetDeletionTimestamp()) || MetadataChanged(old, now)
}

// MetadataChanged reports whether an update changes labels or annotations.
func MetadataChanged(old, now client.Object) bool {
	return !maps.Equal(old.GetLabels(), now.GetLabels()) || !maps.Equal(old.GetAnnotations(), now.GetAnnotations())
}
