package control

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// DecodeBindingPolicy reads a BindingPolicy and validates it.
func DecodeBindingPolicy(o *krm.Object) (*BindingPolicy, field.ErrorList) {
	p := &BindingPolicy{}
	if errs := decode(o, p); len(errs) > 0 {
		return nil, errs
	}
	return p, p.Validate()
}

// DecodeBinding reads a Binding and validates it.
func DecodeBinding(o *krm.Object) (*Binding, field.ErrorList) {
	b := &Binding{}
	if errs := decode(o, b); len(errs) > 0 {
		return nil, errs
	}
	return b, b.Validate()
}

// DecodeCustomTransform reads a CustomTransform and validates it, the paths it removes excepted:
// these are the transform room's.
func DecodeCustomTransform(o *krm.Object) (*CustomTransform, field.ErrorList) {
	t := &CustomTransform{}
	if errs := decode(o, t); len(errs) > 0 {
		return nil, errs
	}
	return t, t.Validate()
}

// decode fills out, a pointer to one of the kinds here.
func decode(o *krm.Object, out any) field.ErrorList {
	if o.APIVersion() != APIVersion {
		return field.ErrorList{field.NotSupported(field.NewPath("apiVersion"), o.APIVersion(), []string{APIVersion})}
	}
	if errs := checkShape(o.Node(), nil, reflect.TypeOf(out)); len(errs) > 0 {
		return errs
	}
	if err := krm.DecodeLoose(o.Node(), nil, out); err != nil {
		return fieldErrors(err, nil)
	}
	return nil
}

// validateMeta holds every kind here to a name that can be a cluster-scoped object's and a part of
// a file name.
func validateMeta(m *metav1.ObjectMeta) (errs field.ErrorList) {
	at := field.NewPath("metadata")
	if m.Name == "" {
		errs = append(errs, field.Required(at.Child("name"), "name the object"))
	} else if faults := validation.NameIsDNSSubdomain(m.Name, false); len(faults) > 0 {
		errs = append(errs, field.Invalid(at.Child("name"), m.Name, strings.Join(faults, "; ")))
	}
	if m.Namespace != "" {
		errs = append(errs, field.Forbidden(at.Child("namespace"), "the kind is cluster-scoped"))
	}
	return errs
}
