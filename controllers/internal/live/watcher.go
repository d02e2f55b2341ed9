package live

import (
	"context"
	"errors"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// WatchHandler is told of the objects of one resource, by one goroutine.
type WatchHandler interface {
	Put(obj *unstructured.Unstructured)
	Delete(namespace, name string)
	// Synced is called after each list, once Put was called for all objects that exist at a resource version.
	// kind is "" when the resource is not served; Delete is then called for the objects that existed.
	Synced(kind, version string)
	// Failed is told why objects cannot be listed.
	Failed(err error)
}

// WatchOptions say what is watched, and how.
type WatchOptions struct {
	// Namespace limits the watch to one namespace; empty means all.
	Namespace string
	// FirstRetry and LastRetry bound the pauses between two attempts that fail, and between two checks for a
	// resource that is not served.
	FirstRetry, LastRetry time.Duration
	Log                   logr.Logger
}

// Watcher lists and watches one resource, and tells a WatchHandler.
type Watcher struct {
	server   *Server
	resource schema.GroupVersionResource
	objects  dynamic.ResourceInterface
	handler  WatchHandler
	options  WatchOptions

	known map[[2]string]struct{} // the objects that the handler has
}

// NewWatcher returns a Watcher that has sent no request yet.
func NewWatcher(s *Server, resource schema.GroupVersionResource, handler WatchHandler, o WatchOptions) *Watcher {
	w := &Watcher{server: s, resource: resource, objects: s.Objects.Resource(resource), handler: handler, options: o,
		known: map[[2]string]struct{}{}}
	if o.Namespace != "" {
		w.objects = s.Objects.Resource(resource).Namespace(o.Namespace)
	}
	w.options.Log = o.Log.WithValues("resource", resource.GroupResource().String(), "version", resource.Version)
	return w
}

// Run watches until ctx ends.
func (w *Watcher) Run(ctx context.Context) {
	last := ""
	for pause := w.options.FirstRetry; ctx.Err() == nil; pause = min(2*pause, w.options.LastRetry) {
		began := time.Now()
		version, err := w.list(ctx)
		if err == nil {
			err = w.watch(ctx, version)
		}
		if ctx.Err() == nil {
			last = w.report(err, last)
		}
		if time.Since(began) > w.options.LastRetry {
			pause = w.options.FirstRetry
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// tellWhy tells why the resource cannot be followed. It logs that, and which versions could be, unless it is
// what it was the last time, and returns what it is now.
func (w *Watcher) report(err error, last string) string {
	if err == nil {
		return ""
	}
	if !errors.Is(err, ErrNotServed) {
		w.handler.Failed(err)
	}
	if err.Error() == last {
		return last
	}
	about := []any{"reason", err.Error()}
	if errors.Is(err, ErrNotServed) {
		versions := []string{}
		others, _ := w.server.Mapper().ResourcesFor(w.resource.GroupResource().WithVersion("")) // on an error there are none
		for _, o := range others {
			versions = append(versions, o.Version)
		}
		about = append(about, "served", versions)
	}
	w.options.Log.Info("cannot be watched", about...)
	return err.Error()
}
