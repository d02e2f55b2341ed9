package fn

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// OptionsPath is where the options stand in a functionConfig: data in a ConfigMap, else spec.
func OptionsPath(config *krm.Object) *field.Path {
	if config != nil && config.Kind() == "ConfigMap" {
		return field.NewPath("data")
	}
	return field.NewPath("spec")
}

// OneOf refuses a value that is not among known.
func OneOf(at *field.Path, value string, known ...string) field.ErrorList {
	if slices.Contains(known, value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, value, known)}
}

// FieldErrors are error results about o, each at the field of its error.
func FieldErrors(o *krm.Object, errs field.ErrorList) (results sdk.Results) {
	for _, err := range errs {
		r := NewResult(sdk.Error, o, nil, "%v", err)
		r.Field = &sdk.Field{Path: err.Field}
		results = append(results, r)
	}
	return results
}
