package live

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Key is the namespace and the name of an object.
type Key = types.NamespacedName

// KeyOf returns the key of an object.
func KeyOf(o *krm.Object) Key { return Key{Namespace: o.Namespace(), Name: o.Name()} }

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// FromUnstructured converts an object, without its managed fields. Whole numbers keep all their digits both ways.
func FromUnstructured(u *unstructured.Unstructured) (*krm.Object, error) {
	u.SetManagedFields(nil)
	n, err := krm.NodeOf(u.Object)
	if err != nil {
		return nil, err
	}
	return krm.FromNode(n), nil
}

// ToUnstructured converts an object to the form that an API server takes.
func ToUnstructured(o *krm.Object) (*unstructured.Unstructured, error) {
	data, err := krm.CanonicalJSON(o.Node())
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	return u, u.UnmarshalJSON(data)
}

// ResourceVersion returns metadata.resourceVersion.
func ResourceVersion(o *krm.Object) string { return o.String("metadata", "resourceVersion") }

// revisionOf is the resource version as a number; 0 for a server whose versions are no numbers.
func revisionOf(o *krm.Object) uint64 {
	n, _ := strconv.ParseUint(ResourceVersion(o), 10, 64)
	return n
}

// UID returns metadata.uid.
func UID(o *krm.Object) string { return o.String("metadata", "uid") }

// IsDeleting reports whether the object has a deletion timestamp.
func IsDeleting(o *krm.Object) bool { return o.String("metadata", "deletionTimestamp") != "" }

// Generation returns metadata.generation; 0 if it is missing.
func Generation(o *krm.Object) (n int64) {
	if v, err := krm.Value(o.Lookup("metadata", "generation")); err == nil {
		n, _ = v.(int64)
	}
	return n
}

// HasFinalizer reports whether the object has a finalizer.
func HasFinalizer(o *krm.Object, finalizer string) bool {
	return slices.Contains(o.Finalizers(), finalizer)
}

// maxMessage is how many bytes the note of an event, and here the message of a condition, may have.
const maxMessage = 1000

// Truncate returns a text that fits into an event or a condition.
func Truncate(text string) string { return TruncateTo(text, maxMessage) }

// TruncateTo cuts text that has more bytes than limit.
func TruncateTo(text string, limit int) string {
	const more = "..."
	if len(text) <= limit {
		return text
	}
	return safetext.Cut(text, limit-len(more), more)
}

// OneLine is Truncate without line breaks.
func OneLine(text string) string { return Truncate(strings.Join(strings.Fields(text), " ")) }
