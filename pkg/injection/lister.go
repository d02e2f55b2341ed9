package injection

import (
	"cmp"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Lister returns the context objects of one apiVersion and kind. Its error becomes part of the
// condition of every point of the kind, so it must be the same for the same cause.
type Lister func(apiVersion, kind string) ([]*krm.Object, error)

// FromObjects lists those objects, as a cluster lists a namespace: the ones in
// that namespace and those without one, by namespace, name and place. With namespace "" it lists all.
// They are grouped at the first call; many goroutines may call it.
func FromObjects(objects []*krm.Object, namespace string) Lister {
	groupByKind := sync.OnceValue(func() map[Kind][]*krm.Object { return groupByKind(objects, namespace) })
	return func(apiVersion, kind string) ([]*krm.Object, error) {
		return groupByKind()[Kind{apiVersion, kind}], nil
	}
}

// groupByKind are the visible objects of each kind, sorted.
func groupByKind(objects []*krm.Object, namespace string) map[Kind][]*krm.Object {
	groupByKind := map[Kind][]*krm.Object{}
	for _, o := range objects {
		if ns := o.Namespace(); namespace == "" || ns == "" || ns == namespace {
			kind := Kind{o.APIVersion(), o.Kind()}
			groupByKind[kind] = append(groupByKind[kind], o)
		}
	}
	for _, found := range groupByKind {
		slices.SortStableFunc(found, func(a, b *krm.Object) int {
			return cmp.Or(cmp.Compare(a.Namespace(), b.Namespace()), cmp.Compare(a.Name(), b.Name()),
				cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index()))
		})
	}
	return groupByKind
}
