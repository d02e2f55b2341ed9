package combinedstatus

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/follow"
)

// listener is told of the objects of one resource, one thing at a time.
type listener interface {
	put(obj *unstructured.Unstructured)
	drop(namespace, name string)
	// served is told when all objects there are have been put; with "", that the resource is not served.
	served(kind string)
}

// heard is a listener as a follower knows it. What cannot be read now is logged, and stays as it is known.
type heard struct{ listener }

func (h heard) Put(obj *unstructured.Unstructured) { h.put(obj) }
func (h heard) Drop(namespace, name string)        { h.drop(namespace, name) }
func (h heard) Served(kind, _ string)              { h.served(kind) }
func (heard) Failed(error)                         {}

func newFollower(s *server, resource schema.GroupVersionResource, tell listener, o Options) *follow.Follower {
	return follow.New(follow.Server{Objects: s.objects, Mapper: s.mapper, Ready: s.ready}, resource, heard{tell},
		follow.Options{FirstRetry: o.FirstRetry, LastRetry: o.LastRetry, Log: o.Log.WithValues("server", s.name)})
}
