package v1alpha2

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ReadPackageVariantSet decodes a PackageVariantSet strictly: an unknown field or a value of the
// wrong type is an error that names the object and every such field. One of version v1alpha1 is
// converted by FromLegacy; what cannot be is an error as well.
func ReadPackageVariantSet(o *krm.Object) (*PackageVariantSet, error) {
	if o.APIVersion() != porchconfig.APIVersion || o.Kind() != KindPackageVariantSet {
		return porchconfig.ReadAs[PackageVariantSet](o, APIVersion, KindPackageVariantSet)
	}
	legacy, err := porchconfig.ReadPackageVariantSet(o)
	if err != nil {
		return nil, err
	}
	set, errs := FromLegacy(legacy)
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s: %w", o.Describe(), errs.ToAggregate())
	}
	return set, nil
}
