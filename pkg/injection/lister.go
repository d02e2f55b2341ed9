package injection

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Lister gives the context objects of one apiVersion and kind. Its error becomes part of the
// condition of every point that asked, so it must say the same for the same trouble.
type Lister func(apiVersion, kind string) ([]*krm.Object, error)

// FromObjects lists from objects that are at hand, as a cluster would list a namespace: those of
// that namespace and those without one. With namespace "" it lists them all.
func FromObjects(objects []*krm.Object, namespace string) Lister {
	return func(apiVersion, kind string) (found []*krm.Object, err error) {
		for _, o := range objects {
			ns := o.Namespace()
			if o.APIVersion() == apiVersion && o.Kind() == kind && (namespace == "" || ns == "" || ns == namespace) {
				found = append(found, o)
			}
		}
		slices.SortStableFunc(found, func(a, b *krm.Object) int {
			return cmp.Or(cmp.Compare(a.Namespace(), b.Namespace()), cmp.Compare(a.Name(), b.Name()))
		})
		return found, nil
	}
}
