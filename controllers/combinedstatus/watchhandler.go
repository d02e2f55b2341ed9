package combinedstatus

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// eventHandler gets the events of one resource, one at a time.
type eventHandler interface {
	put(obj *unstructured.Unstructured)
	drop(namespace, name string)
	// served is called when all objects have been put; with "" when the resource is not served.
	served(kind string)
}

// watchHandler is an eventHandler as a watcher knows it. The watcher logs what it cannot read now; the known objects stay.
type watchHandler struct{ eventHandler }

func (h watchHandler) Put(obj *unstructured.Unstructured) { h.put(obj) }
func (h watchHandler) Delete(namespace, name string)      { h.drop(namespace, name) }
func (h watchHandler) Synced(kind, _ string)              { h.served(kind) }
func (watchHandler) Failed(error)                         {}

func newWatcher(s *server, resource schema.GroupVersionResource, handler eventHandler, o Options) *live.Watcher {
	return live.NewWatcher(s.Server, resource, watchHandler{handler},
		live.WatchOptions{FirstRetry: o.FirstRetry, LastRetry: o.LastRetry, Log: o.Log.WithValues("server", s.Name)})
}
