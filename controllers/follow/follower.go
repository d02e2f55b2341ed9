package follow

import (
	"context"
	"errors"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// Server is an API server.
type Server struct {
	Objects dynamic.Interface
	// Mapper is reset, if it can be, when it knows a type that is not there any more.
	Mapper meta.RESTMapper
	// Ready says whether the API server does all its work. One that starts does not know all kinds that it
	// will serve a moment later.
	Ready func(context.Context) error
}

// Listener is told of the objects of one resource, one thing at a time.
type Listener interface {
	Put(obj *unstructured.Unstructured)
	Drop(namespace, name string)
	// Served is told, after each list, that all objects which there were at a resource version have been put;
	// kind is "" when the resource is not served, and then those that were there are dropped after it.
	Served(kind, version string)
	// Failed is told why objects cannot be listed.
	Failed(err error)
}

// Options say what is followed, and how.
type Options struct {
	// Namespace narrows it to one: all.
	Namespace string
	// FirstRetry and LastRetry bound the pauses between two tries of what failed, and between two looks for
	// a resource that is not served.
	FirstRetry, LastRetry time.Duration
	Log                   logr.Logger
}

// Follower keeps a listener current.
type Follower struct {
	server   Server
	resource schema.GroupVersionResource
	objects  dynamic.ResourceInterface
	tell     Listener
	options  Options

	known map[[2]string]struct{} // the objects that the listener has
}

// New is a Follower that has asked nothing yet.
func New(s Server, resource schema.GroupVersionResource, tell Listener, o Options) *Follower {
	f := &Follower{server: s, resource: resource, objects: s.Objects.Resource(resource), tell: tell, options: o,
		known: map[[2]string]struct{}{}}
	if o.Namespace != "" {
		f.objects = s.Objects.Resource(resource).Namespace(o.Namespace)
	}
	f.options.Log = o.Log.WithValues("resource", resource.GroupResource().String(), "version", resource.Version)
	return f
}

// Run follows until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	last := ""
	for pause := f.options.FirstRetry; ctx.Err() == nil; pause = min(2*pause, f.options.LastRetry) {
		began := time.Now()
		version, err := f.list(ctx)
		if err == nil {
			err = f.follow(ctx, version)
		}
		if ctx.Err() == nil {
			last = f.tellWhy(err, last)
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

// tellWhy tells why the resource cannot be followed. It logs that, and which versions could be, unless it is
// what it was the last time, and returns what it is now.
func (f *Follower) tellWhy(err error, last string) string {
	if err == nil {
		return ""
	}
	if !errors.Is(err, ErrNotServed) {
		f.tell.Failed(err)
	}
	if err.Error() == last {
		return last
	}
	about := []any{"reason", err.Error()}
	if errors.Is(err, ErrNotServed) {
		versions := []string{}
		others, _ := f.server.Mapper.ResourcesFor(f.resource.GroupResource().WithVersion("")) // an error tells of none
		for _, o := range others {
			versions = append(versions, o.Version)
		}
		about = append(about, "served", versions)
	}
	f.options.Log.Info("cannot be followed", about...)
	return err.Error()
}
