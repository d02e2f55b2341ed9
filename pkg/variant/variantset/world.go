package variantset

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/variantset/expression"
)

// World is what there is in the namespace of a set.
type World struct {
	// Upstream are the revisions of the upstream package; others do no harm.
	Upstream []Revision
	// Repositories are all Repository objects.
	Repositories []Object
	// Listings has one entry for each of Kinds.
	Listings []Listing
	// Variants are the PackageVariants that may belong to the set; others do no harm. A variant
	// that is not the set's is only noticed when it is in the way of one that is wanted.
	Variants []porchconfig.PackageVariant
}

// Revision is a package revision with what expressions see of it.
type Revision struct {
	variant.Revision
	Labels, Annotations map[string]string
}

// Object is what a set sees of an object.
type Object = expression.Object

// Kind names a kind of objects.
type Kind struct{ APIVersion, Kind string }

// Listing is all objects of a kind in the namespace of the set, or why there is no list. Err is
// told from others when it is, or wraps, a NoKindMatchError or NoResourceMatchError of apimachinery:
// then there is no such kind.
type Listing struct {
	Kind
	Objects []Object
	Err     error
}

// Kinds says which kinds the selectors of a set look at, each once, in order.
func Kinds(set *v1alpha2.PackageVariantSet) []Kind {
	var kinds []Kind
	for i := range set.Spec.Targets {
		if s := set.Spec.Targets[i].ObjectSelector; s != nil {
			kinds = append(kinds, Kind{s.APIVersion, s.Kind})
		}
	}
	return unique(kinds, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
	})
}

// unique sorts a list and leaves one of each.
func unique[T comparable](list []T, order func(a, b T) int) []T {
	slices.SortFunc(list, order)
	return slices.Compact(list)
}
