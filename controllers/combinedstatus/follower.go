package combinedstatus

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/follow"
)

// eventHandler gets the events of one resource, one at a time.
type eventHandler interface {
	put(obj *unstructured.Unstructured)
	drop(namespace, name string)
	// served is called when all objects have been put; with "" when the resource is not served.
	served(kind string)
}

// heard adapts an eventHandler to a follower, which logs what it cannot read now; the known objects stay.
type heard struct{ eventHandler }

func (h heard) Put(obj *unstructured.Unstructured) { h.put(obj) }
func (h heard) Drop(namespace, name string)        { h.drop(namespace, name) }
func (h heard) Served(kind, _ string)              { h.served(kind) }
func (heard) Failed(error)                         {}

func newFollower(s *server, resource schema.GroupVersionResource, tell eventHandler, o Options) *follow.Follower {
	return follow.New(follow.Server{Objects: s.objects, Mapper: s.mapper, Ready: s.ready}, resource, heard{tell},
		follow.Options{FirstRetry: o.FirstRetry, LastRetry: o.LastRetry, Log: o.Log.WithValues("server", s.name)})
}
