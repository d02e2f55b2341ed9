package porchconfig

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// ReadRepository decodes a Repository strictly: an unknown field or a value of the wrong type is
// an error that names the object and every such field.
func ReadRepository(o *krm.Object) (*Repository, error) { return read[Repository](o, KindRepository) }

// ReadPackageVariant decodes a PackageVariant as strictly.
func ReadPackageVariant(o *krm.Object) (*PackageVariant, error) {
	return read[PackageVariant](o, KindPackageVariant)
}

// ReadPackageVariantSet decodes a PackageVariantSet of version v1alpha1 as strictly. Package
// v1alpha2 reads both versions.
func ReadPackageVariantSet(o *krm.Object) (*PackageVariantSet, error) {
	return read[PackageVariantSet](o, KindPackageVariantSet)
}

func read[T any](o *krm.Object, kind string) (*T, error) {
	return ReadAs[T](o, APIVersion, kind)
}

// ReadAs decodes an object that must be of the given version and kind, strictly.
func ReadAs[T any](o *krm.Object, apiVersion, kind string) (*T, error) {
	if o.APIVersion() != apiVersion || o.Kind() != kind {
		return nil, fmt.Errorf("%s: want apiVersion %q and kind %q, got %q", o.Describe(), apiVersion, kind, o.APIVersion())
	}
	out := new(T)
	if err := o.WithoutOrchestration().Decode(out); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Describe(), err)
	}
	return out, nil
}
