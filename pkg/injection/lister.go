package injection

import (
	"cmp"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Lister gives the context objects of one apiVersion and kind. Its error becomes part of the
// condition of every point that asked, so it must say the same for the same trouble.
type Lister func(apiVersion, kind string) ([]*krm.Object, error)

// FromObjects lists from objects that are at hand, as a cluster would list a namespace: those of
// that namespace and those without one, by namespace, name and place. With namespace "" it lists them all.
// They are sorted out when the first kind is asked for; many goroutines may ask.
func FromObjects(objects []*krm.Object, namespace string) Lister {
	byKind := sync.OnceValue(func() map[Kind][]*krm.Object { return sortOut(objects, namespace) })
	return func(apiVersion, kind string) ([]*krm.Object, error) {
		return byKind()[Kind{apiVersion, kind}], nil
	}
}

func sortOut(objects []*krm.Object, namespace string) map[Kind][]*krm.Object {
	byKind := map[Kind][]*krm.Object{}
	for _, o := range objects {
		if ns := o.Namespace(); namespace == "" || ns == "" || ns == namespace {
			kind := Kind{o.APIVersion(), o.Kind()}
			byKind[kind] = append(byKind[kind], o)
		}
	}
	for _, found := range byKind {
		slices.SortStableFunc(found, func(a, b *krm.Object) int {
			if c := cmp.Or(cmp.Compare(a.Namespace(), b.Namespace()), cmp.Compare(a.Name(), b.Name())); c != 0 {
				return c
			}
			return cmp.Or(cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index()))
		})
	}
	return byKind
}
