package live

import (
	"context"
	"errors"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
)

// WatchHandler gets the events of one resource, from one goroutine.
type WatchHandler interface {
	Put(obj *unstructured.Unstructured)
	Delete(namespace, name string)
	// Synced is called after each list, after Put was called for all objects that exist at a resource version.
	// kind is "" when the resource is not served; Delete is then called for the objects that existed.
	Synced(kind, version string)
	// Failed is called with the reason why objects cannot be listed.
	Failed(err error)
}

// WatchOptions configure a Watcher.
type WatchOptions struct {
	// Namespace limits the watch to one namespace; empty means all.
	Namespace string
	// FirstRetry and LastRetry bound the pauses between two attempts that fail, and between two checks for a resource that is
	// not served.
	FirstRetry, LastRetry time.Duration
	Log                   logr.Logger
	// Metadata, when set, watches: an object that changes is put with its metadata alone, as FromMetadata makes it. Lists
	// have whole objects.
	Metadata metadata.Interface
}

// PollInterval is the longest pause between two checks for a resource that is not served, of a controller whose last pause between
// two attempts is lastRetry.
func PollInterval(lastRetry time.Duration) time.Duration { return min(30*time.Second, lastRetry) }

// Watcher lists and watches one resource, and calls a WatchHandler.
type Watcher struct {
	server   *Server
	resource schema.GroupVersionResource
	objects  dynamic.ResourceInterface
	handler  WatchHandler
	options  WatchOptions

	known sets.Set[Key] // the objects that the handler has
}

// NewWatcher returns a Watcher that has sent no request yet.
func NewWatcher(s *Server, resource schema.GroupVersionResource, handler WatchHandler, o WatchOptions) *Watcher {
	w := &Watcher{server: s, resource: resource, objects: s.Objects.Resource(resource).Namespace(o.Namespace), handler: handler,
		options: o, known: sets.New[Key]()}
	if o.Metadata != nil {
		w.objects = metadataWatch{w.objects, o.Metadata.Resource(resource).Namespace(o.Namespace)}
	}
	w.options.Log = o.Log.WithValues("resource", resource.GroupResource().String(), "version", resource.Version)
	return w
}

// Run watches until ctx ends.
func (w *Watcher) Run(ctx context.Context) {
	last := ""
	Repeat(ctx, w.options.FirstRetry, w.options.LastRetry, func() {
		version, err := w.list(ctx)
		if err == nil {
			err = w.watch(ctx, version)
		}
		if ctx.Err() == nil {
			last = w.report(err, last)
		}
	})
}

// report passes an error to the handler. It logs the error, and which versions are served, unless it is the last one again.
// It returns the error's text.
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
