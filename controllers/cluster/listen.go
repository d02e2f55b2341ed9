package cluster

import (
	"context"

	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// listen has heard told of every object of a kind that is there, comes, changes or goes; old is nil
// unless it changed. The returned function ends that.
func listen(ctx context.Context, c cache.Cache, kind client.Object, heard func(old, now client.Object)) (stop func(), err error) {
	informer, err := c.GetInformer(ctx, kind)
	if err != nil {
		return nil, err
	}
	handler, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { relay(heard, nil, o) },
		UpdateFunc: func(old, now any) { relay(heard, old, now) },
		DeleteFunc: func(o any) { relay(heard, nil, o) },
	})
	return func() { _ = informer.RemoveEventHandler(handler) }, err // the informer may have ended first
}

// relay passes on what an informer tells, which may have missed how an object ended.
func relay(heard func(old, now client.Object), old, now any) {
	if gone, ok := now.(toolscache.DeletedFinalStateUnknown); ok {
		now = gone.Obj
	}
	object, ok := now.(client.Object)
	if !ok {
		return
	}
	was, _ := old.(client.Object)
	heard(was, object)
}
