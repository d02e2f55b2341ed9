package control

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// WrongCount is an object of which a policy wants the one status, and on how many clusters it is. The names and the order of its fields
// are part of the interface.
type WrongCount struct {
	ObjectID struct {
		GVK        schema.GroupVersionKind
		Resource   string
		ObjectName struct{ Namespace, Name string }
	}
	NumWECs int
}

// NewWrongCount makes a WrongCount.
func NewWrongCount(gvk schema.GroupVersionKind, resource, namespace, name string, clusters int) (w WrongCount) {
	w.ObjectID.GVK, w.ObjectID.Resource, w.NumWECs = gvk, resource, clusters
	w.ObjectID.ObjectName.Namespace, w.ObjectID.ObjectName.Name = namespace, name
	return w
}

// SingletonErrorStart is the start of every SingletonError, and of no other error.
const SingletonErrorStart = "Singleton reported status return is requested but some objects have the wrong number of " +
	"associated WECs, for example: "

// MaxWrongCounts is the most examples in a SingletonError.
const MaxWrongCounts = 4

// SingletonError is the error in the status of a policy whose singleton status some objects cannot have.
func SingletonError(examples []WrongCount) string {
	list, err := json.Marshal(examples)
	if err != nil { // text and numbers always encode
		panic(fmt.Sprintf("write examples: %v", err))
	}
	return SingletonErrorStart + string(list)
}
