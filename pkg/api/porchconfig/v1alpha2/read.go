package v1alpha2

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ReadPackageVariantSet decodes a PackageVariantSet strictly: an unknown field or a value of the
// wrong type is an error that names the object and every such field. One of version v1alpha1 is
// converted by FromLegacy. packageNames without a value, as when all names are comments, is an empty list,
// which is not valid.
func ReadPackageVariantSet(o *krm.Object) (*PackageVariantSet, error) {
	if o.APIVersion() != porchconfig.APIVersion || o.Kind() != KindPackageVariantSet {
		set, err := porchconfig.ReadAs[PackageVariantSet](o, APIVersion, KindPackageVariantSet)
		if err == nil {
			emptyNames(set, o)
		}
		return set, err
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

// emptyNames makes an empty list of each packageNames that is null.
func emptyNames(set *PackageVariantSet, o *krm.Object) {
	targets := o.Lookup("spec", "targets")
	for i := range set.Spec.Targets {
		list := krm.Lookup(targets.Content[i], "repositories")
		for j := range set.Spec.Targets[i].Repositories {
			r := &set.Spec.Targets[i].Repositories[j]
			if r.PackageNames == nil && krm.Lookup(list.Content[j], "packageNames") != nil {
				r.PackageNames = []string{}
			}
		}
	}
}
