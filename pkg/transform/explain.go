package transform

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Remover returns the CustomTransform among items that removes the field at path, or one around it, from objects
// of that group and resource, and the index in its spec.remove; nil if none does.
func Remover(items []*krm.Object, group, resource string, path []string) (by *krm.Object, entry int) {
	set, _ := ParseSetLenient(items)
	for _, r := range set.of(group, resource) {
		if len(r.path) <= len(path) && slices.Equal(r.path, path[:len(r.path)]) {
			return r.by, slices.Index(removalsOf(r.by), r.path.String())
		}
	}
	return nil, 0
}

// removalsOf are the paths in spec.remove of a CustomTransform in one form; "" for an invalid path.
func removalsOf(o *krm.Object) (out []string) {
	list := o.Lookup("spec", "remove")
	for _, n := range list.Content {
		text := ""
		if path, err := ParsePath(krm.Deref(n).Value); err == nil {
			text = path.String()
		}
		out = append(out, text)
	}
	return out
}
