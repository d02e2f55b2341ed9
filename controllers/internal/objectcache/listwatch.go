package objectcache

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// run lists and watches until ctx ends; docs/decisions/0019 says why it is no reflector. A kind that may not be watched, or
// not even listed, is listed again after growing pauses.
func (k *kindCache) run(ctx context.Context) {
	live.Repeat(ctx, k.cache.firstRetry, k.cache.lastRetry, func() {
		if objects, version, err := k.list(ctx, true); err == nil {
			_ = live.WatchFrom(ctx, objects, version, k.handle) // a watch that is forbidden is one that has ended
			k.watchEnded()
		}
	})
}

// list replaces the contents by the objects of the API server, or by a permanent error. With forWatch a watch follows, which
// keeps the contents current; without, contents that are current stay.
func (k *kindCache) list(ctx context.Context, forWatch bool) (objects dynamic.ResourceInterface, version string, err error) {
	k.listing.Lock()
	defer k.listing.Unlock()
	if _, current := k.snapshot(); current && !forWatch {
		return nil, "", nil
	}
	const timeout = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	objects, found, err := k.request(ctx)
	if err != nil && apierror.IsPermanent(err) { // this counts only from an API server that is ready, so it is repeated
		if err := k.cache.server.Ready(ctx); err != nil {
			return nil, "", err
		}
		objects, found, err = k.request(ctx)
	}
	if err != nil {
		if err = apierror.Stable(err); apierror.IsPermanent(err) {
			k.replace(contents{err: err}, forWatch)
		}
		return nil, "", err
	}
	c := contents{objects: make(map[string]projected, len(found.Items))}
	for i := range found.Items {
		p, err := k.cache.project(&found.Items[i])
		if err != nil {
			return nil, "", err
		}
		c.objects[nameOf(&found.Items[i])] = *p
	}
	k.replace(c, forWatch)
	return objects, found.GetResourceVersion(), nil
}

// request lists the objects from the store of the API server, and returns their client.
func (k *kindCache) request(ctx context.Context) (objects dynamic.ResourceInterface, found *unstructured.UnstructuredList, err error) {
	if objects, err = k.resource(); err == nil {
		found, err = objects.List(ctx, metav1.ListOptions{})
	}
	return objects, found, err
}

// resource returns the client of the objects.
func (k *kindCache) resource() (dynamic.ResourceInterface, error) {
	of, server := k.scope.kind, k.cache.server
	gv, err := schema.ParseGroupVersion(of.APIVersion)
	if err != nil {
		return nil, &meta.NoKindMatchError{GroupKind: schema.GroupKind{Kind: of.Kind}, SearchedVersions: []string{of.APIVersion}}
	}
	gk := schema.GroupKind{Group: gv.Group, Kind: of.Kind}
	m, err := server.Mapper().RESTMapping(gk, gv.Version)
	switch {
	case meta.IsNoMatchError(err):
		return nil, &meta.NoKindMatchError{GroupKind: gk, SearchedVersions: []string{gv.Version}}
	case err != nil:
		return nil, err
	case m.Scope.Name() == meta.RESTScopeNameNamespace:
		return server.Objects.Resource(m.Resource).Namespace(k.scope.namespace), nil
	}
	return server.Objects.Resource(m.Resource), nil
}

// handle applies one event of a watch to the contents.
func (k *kindCache) handle(event watch.EventType, object *unstructured.Unstructured) error {
	if event == watch.Deleted {
		k.put(nameOf(object), nil)
		return nil
	}
	p, err := k.cache.project(object)
	if err == nil {
		k.put(nameOf(object), p)
	}
	return err
}
