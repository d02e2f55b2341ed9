package transform

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const controlGroup, controlVersion, customTransformKind = "control.kubestellar.io", "v1alpha1", "CustomTransform"

// spec is decoded here and not into the API type because an absent field, a null and "" differ:
// "" is the core group, and a null list element must not pass for an empty path.
type spec struct {
	APIGroup *string   `json:"apiGroup"`
	Resource *string   `json:"resource"`
	Remove   []*string `json:"remove"`
}

// decode reads what one CustomTransform asks for, or every reason why it cannot be read.
func decode(o *krm.Object) (key groupResource, remove []*string, errs field.ErrorList) {
	at := field.NewPath("spec")
	if o.Version() != controlVersion {
		return key, nil, field.ErrorList{field.NotSupported(field.NewPath("apiVersion"), o.APIVersion(), []string{controlGroup + "/" + controlVersion})}
	}
	n := o.Lookup("spec")
	if n == nil {
		return key, nil, field.ErrorList{field.Required(at, "say what to remove, and from which resource")}
	}
	var s spec
	if err := krm.DecodeNode(n, at, &s); err != nil {
		return key, nil, asFieldErrors(err, at)
	}
	if s.APIGroup == nil {
		errs = append(errs, field.Required(at.Child("apiGroup"), `name the API group; "" is the core group`))
	}
	if s.Resource == nil || *s.Resource == "" {
		errs = append(errs, field.Required(at.Child("resource"), `name the resource by its plural, such as "deployments"`))
	}
	if len(errs) > 0 {
		return key, nil, errs
	}
	return groupResource{*s.APIGroup, *s.Resource}, s.Remove, nil
}

// asFieldErrors takes a decoding error apart into one error per fault.
func asFieldErrors(err error, at *field.Path) (errs field.ErrorList) {
	all := []error{err}
	if many, ok := err.(interface{ Errors() []error }); ok {
		all = many.Errors()
	}
	for _, e := range all {
		fe, ok := e.(*field.Error)
		if !ok {
			fe = field.Invalid(at, field.OmitValueType{}, e.Error())
		}
		errs = append(errs, fe)
	}
	return errs
}
