package variant

import (
	"errors"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// Validate returns a *porchconfig.ValidationError with every fault of pv, or nil: those that
// pv.Validate finds, and those of annotations. Decide calls it, too.
func Validate(pv *porchconfig.PackageVariant) error {
	var all porchconfig.ValidationError
	if err := pv.Validate(); err != nil {
		var spec *porchconfig.ValidationError
		if !errors.As(err, &spec) {
			return err
		}
		all.Messages = append(all.Messages, spec.Messages...)
	}
	switch pv.Annotations[OpenDraftAnnotation] {
	case "", OpenDraftKeep, OpenDraftRecreate:
	default:
		all.Messages = append(all.Messages, fmt.Sprintf("metadata.annotations[%q] can only be %q or %q", OpenDraftAnnotation,
			OpenDraftKeep, OpenDraftRecreate))
	}
	if len(all.Messages) == 0 {
		return nil
	}
	return &all
}
