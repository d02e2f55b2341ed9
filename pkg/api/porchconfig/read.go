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

func read[T any](o *krm.Object, kind string) (*T, error) {
	if o.APIVersion() != APIVersion || o.Kind() != kind {
		return nil, fmt.Errorf("%s: want apiVersion %q and kind %q, got %q", o.Describe(), APIVersion, kind, o.APIVersion())
	}
	out := new(T)
	if err := o.WithoutOrchestration().Decode(out); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Describe(), err)
	}
	return out, nil
}
