package workload

import (
	"cmp"

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
