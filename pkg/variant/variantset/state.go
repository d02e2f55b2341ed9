package variantset

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/variantset/expression"
)

// State is what exists in the namespace of a set.
type State struct {
	// Upstream are the revisions of the upstream package; others are ignored.
	Upstream []variant.Described
	// Repositories are all Repository objects.
	Repositories []Object
	// Listings has one entry for each of Kinds.
	Listings []Listing
	// CopiedLabels are the keys of labels that each variant has as its set has them, and lacks as its set does.
	CopiedLabels []string
	// Variants are the PackageVariants that may belong to the set. A variant
	// that is not the set's matters only when a variant of its name is wanted.
	Variants []porchconfig.PackageVariant
}

// Object is what a set sees of an object.
type Object = expression.Object

// NewObject is an object of a namespace as a set sees it.
func NewObject(o *krm.Object, namespace string) Object {
	return Object{Name: o.Name(), Namespace: namespace, Labels: o.Labels(), Annotations: o.Annotations()}
}

// Kind names a kind of objects.
type Kind = injection.Kind

func kindOf(s *v1alpha2.ObjectSelector) Kind { return Kind{APIVersion: s.APIVersion, Kind: s.Kind} }

// Listing is all objects of a kind in the namespace of the set, or why there is no list. If Err is or wraps
// a NoKindMatchError or NoResourceMatchError of apimachinery, there is no such kind.
type Listing struct {
	Kind
	Objects []Object
	Err     error
}

// Kinds returns the kinds that the selectors of a set select, each once, in order.
func Kinds(set *v1alpha2.PackageVariantSet) []Kind {
	var kinds []Kind
	for i := range set.Spec.Targets {
		if s := set.Spec.Targets[i].ObjectSelector; s != nil {
			kinds = append(kinds, kindOf(s))
		}
	}
	slices.SortFunc(kinds, variant.CompareKinds)
	return slices.Compact(kinds)
}
