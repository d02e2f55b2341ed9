package syncing

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// objectOf is an object as the engine has it, without the record of who wrote what. Whole numbers keep all
// their digits both ways.
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

// versionOf is the place of an object in the history of its server; 0 where a server does not count.
func versionOf(o *krm.Object) uint64 {
	n, err := strconv.ParseUint(resourceVersion(o), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func resourceVersion(o *krm.Object) string { return o.String("metadata", "resourceVersion") }

func uidOf(o *krm.Object) string { return o.String("metadata", "uid") }

func isDeleting(o *krm.Object) bool { return o.String("metadata", "deletionTimestamp") != "" }

func finalizersOf(o *krm.Object) (all []string) {
	list := krm.Deref(o.Lookup("metadata", "finalizers"))
	if list == nil {
		return nil
	}
	for _, n := range list.Content {
		all = append(all, n.Value)
	}
	return all
}

// mostText is how many bytes a note of an event may have, and a message of a condition has.
const mostText = 1000

// bounded is text, cut where it is too long.
func bounded(text string) string {
	const more = "..."
	if len(text) <= mostText {
		return text
	}
	end := mostText - len(more)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more
}

// oneLine is a text without line breaks, and not too long for a condition or an event.
func oneLine(text string) string { return bounded(strings.Join(strings.Fields(text), " ")) }
