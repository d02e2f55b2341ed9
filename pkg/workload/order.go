package workload

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Compare orders objects by group, kind, namespace, name, version, file and index, so that
// the order of a list does not matter.
func Compare(a, b *krm.Object) int {
	return cmp.Or(
		cmp.Compare(a.Group(), b.Group()),
		cmp.Compare(a.Kind(), b.Kind()),
		cmp.Compare(a.Namespace(), b.Namespace()),
		cmp.Compare(a.Name(), b.Name()),
		cmp.Compare(a.Version(), b.Version()),
		cmp.Compare(a.File(), b.File()),
		cmp.Compare(a.Index(), b.Index()),
	)
}

// OfKind are the objects of a group and kind, in the order of Compare.
func OfKind(items []*krm.Object, group, kind string) (out []*krm.Object) {
	for _, o := range items {
		if o.Is(group, kind) {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, Compare)
	return out
}
