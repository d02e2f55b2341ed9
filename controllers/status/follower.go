package status

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// listener is told of the objects of one resource, one thing at a time.
type listener interface {
	put(obj *unstructured.Unstructured)
	drop(namespace, name string)
	// served is told when all objects there are have been put; with "", that the resource is not served.
	served(kind string)
}

// heard is a listener as a watcher knows it. What cannot be read now is logged, and stays as it is known.
type heard struct{ listener }

func (h heard) Put(obj *unstructured.Unstructured) { h.put(obj) }
func (h heard) Delete(namespace, name string)      { h.drop(namespace, name) }
func (h heard) Synced(kind, _ string)              { h.served(kind) }
func (heard) Failed(error)                         {}

func newFollower(s *server, resource schema.GroupVersionResource, tell listener, o Options) *live.Watcher {
	return live.NewWatcher(s.Server, resource, heard{tell},
		live.WatchOptions{FirstRetry: o.FirstRetry, LastRetry: o.LastRetry, Log: o.Log.WithValues("server", s.Name)})
}
