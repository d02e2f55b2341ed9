package mapping

import (
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// objectOf is an object as package mapping has it, without the record of who wrote what. Whole numbers keep
// all their digits both ways.
func objectOf(u *unstructured.Unstructured) (*krm.Object, error) {
	u.SetManagedFields(nil)
	n, err := krm.NodeOf(u.Object)
	if err != nil {
		return nil, err
	}
	return krm.FromNode(n), nil
}

// sendable is an object as the API server takes it.
func sendable(o *krm.Object) (*unstructured.Unstructured, error) {
	data, err := krm.CanonicalJSON(o.Node())
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	return u, u.UnmarshalJSON(data)
}

// versionOf is the place of an object in the history of its type; 0 where a server does not count.
func versionOf(o *krm.Object) uint64 {
	n, err := strconv.ParseUint(o.String("metadata", "resourceVersion"), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func uidOf(o *krm.Object) string { return o.String("metadata", "uid") }

func isDeleting(o *krm.Object) bool { return o.String("metadata", "deletionTimestamp") != "" }
