package status

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// listener is told of the objects of one resource, one thing at a time.
type listener interface {
	put(obj *unstructured.Unstructured)
	drop(namespace, name string)
	// served is told when all objects there are have been put; with "", that the resource is not served.
	served(kind string)
}

// follower keeps a listener current. Unlike an informer it keeps no objects, and knows a resource that is
// not served from one that cannot be read now.
type follower struct {
	*server
	resource schema.GroupVersionResource
	tell     listener
	options  Options
	log      logr.Logger

	known map[[2]string]struct{} // the objects that the listener has
}

func newFollower(s *server, resource schema.GroupVersionResource, tell listener, o Options) *follower {
	log := o.Log.WithValues("server", s.name, "resource", resource.GroupResource().String(), "version", resource.Version)
	return &follower{server: s, resource: resource, tell: tell, options: o, log: log, known: map[[2]string]struct{}{}}
}

// run follows until ctx ends.
func (f *follower) run(ctx context.Context) {
	last := ""
	for pause := f.options.FirstRetry; ctx.Err() == nil; pause = min(2*pause, f.options.LastRetry) {
		began := time.Now()
		version, err := f.list(ctx)
		if err == nil {
			last = ""
			f.follow(ctx, version)
		} else if text := err.Error(); text != last && ctx.Err() == nil {
			f.tellWhy(err)
			last = text
		}
		if time.Since(began) > f.options.LastRetry {
			pause = f.options.FirstRetry
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// tellWhy logs why the resource cannot be followed, and which versions of it could be.
func (f *follower) tellWhy(err error) {
	about := []any{"reason", err.Error()}
	if errors.Is(err, errNotServed) {
		versions := []string{}
		others, _ := f.mapper.ResourcesFor(f.resource.GroupResource().WithVersion("")) // an error tells of none
		for _, o := range others {
			versions = append(versions, o.Version)
		}
		about = append(about, "served", versions)
	}
	f.log.Info("cannot be followed", about...)
}

// errNotServed says that the API server does not know the resource.
var errNotServed = errors.New("the kind is not served here in this version; it is looked for now and then")

// list tells of all objects there are, and returns the version from which to follow. That the resource is
// not served counts only from an API server that is ready: what it then says once more.
func (f *follower) list(ctx context.Context) (string, error) {
	kind, version, err := f.listOnce(ctx)
	if errors.Is(err, errNotServed) {
		if err := f.ready(ctx); err != nil {
			return "", err
		}
		kind, version, err = f.listOnce(ctx)
	}
	if errors.Is(err, errNotServed) {
		f.tell.served("")
		f.keep(nil)
	}
	if err == nil {
		f.tell.served(kind)
	}
	return version, err
}

func (f *follower) listOnce(ctx context.Context) (kind, version string, err error) {
	gvk, err := f.mapper.KindFor(f.resource)
	if meta.IsNoMatchError(err) {
		return "", "", errNotServed
	}
	if err != nil {
		return "", "", fmt.Errorf("ask for the kind: %w", err)
	}
	there := map[[2]string]struct{}{}
	const page = 500
	for o := (metav1.ListOptions{Limit: page}); ; {
		found, err := f.objects.Resource(f.resource).List(ctx, o)
		if apierrors.IsNotFound(err) {
			return "", "", errNotServed
		}
		if err != nil {
			return "", "", fmt.Errorf("list: %w", err)
		}
		for i := range found.Items {
			there[nameOf(&found.Items[i])] = struct{}{}
			f.put(&found.Items[i])
		}
		if o.Continue = found.GetContinue(); o.Continue == "" {
			f.keep(there)
			return gvk.Kind, found.GetResourceVersion(), nil
		}
	}
}

func nameOf(obj *unstructured.Unstructured) [2]string {
	return [2]string{obj.GetNamespace(), obj.GetName()}
}

func (f *follower) put(obj *unstructured.Unstructured) {
	f.known[nameOf(obj)] = struct{}{}
	f.tell.put(obj)
}

func (f *follower) drop(at [2]string) {
	delete(f.known, at)
	f.tell.drop(at[0], at[1])
}

// keep drops the objects that are not there.
func (f *follower) keep(there map[[2]string]struct{}) {
	for at := range f.known {
		if _, is := there[at]; !is {
			f.drop(at)
		}
	}
}

// follow tells of changes from a version on, for as long as that can be done without another list.
func (f *follower) follow(ctx context.Context, version string) {
	const shortest = time.Second // a watch that ends sooner is none
	for ctx.Err() == nil {
		began := time.Now()
		events, err := f.objects.Resource(f.resource).Watch(ctx, metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true})
		if err != nil {
			return
		}
		version, err = f.take(events, version)
		if err != nil || time.Since(began) < shortest {
			return
		}
	}
}

var errBroken = errors.New("the watch is broken")

// take takes the events of one watch, up to its regular end.
func (f *follower) take(events watch.Interface, version string) (string, error) {
	defer events.Stop()
	for event := range events.ResultChan() {
		obj, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Error {
			return version, errBroken
		}
		version = obj.GetResourceVersion()
		switch event.Type {
		case watch.Added, watch.Modified:
			f.put(obj)
		case watch.Deleted:
			f.drop(nameOf(obj))
		}
	}
	return version, nil
}
