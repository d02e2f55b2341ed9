package midonet

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// DecodeTranslation reads a Translation strictly and validates it. When the document cannot be decoded it returns nil
// with the errors.
func DecodeTranslation(o *krm.Object) (*Translation, field.ErrorList) {
	if o.APIVersion() != APIVersion {
		return nil, field.ErrorList{field.NotSupported(field.NewPath("apiVersion"), o.APIVersion(), []string{APIVersion})}
	}
	if o.Kind() != KindTranslation {
		return nil, field.ErrorList{field.NotSupported(field.NewPath("kind"), o.Kind(), []string{KindTranslation})}
	}
	out := new(Translation)
	if errs := krm.DecodeErrors(o.WithoutOrchestration().Node(), nil, out); len(errs) > 0 {
		return nil, errs
	}
	return out, out.Validate()
}

// Validate lists every fault of the Translation, each at its own path, in field order.
func (t *Translation) Validate() (errs field.ErrorList) {
	at := field.NewPath("metadata")
	if t.Name == "" {
		errs = append(errs, field.Required(at.Child("name"), "name the object"))
	} else if faults := validation.NameIsDNSSubdomain(t.Name, false); len(faults) > 0 {
		errs = append(errs, field.Invalid(at.Child("name"), t.Name, strings.Join(faults, "; ")))
	}
	if t.Namespace != "" {
		if faults := validation.ValidateNamespaceName(t.Namespace, false); len(faults) > 0 {
			errs = append(errs, field.Invalid(at.Child("namespace"), t.Namespace, strings.Join(faults, "; ")))
		}
	}
	for i := range t.Resources {
		errs = append(errs, t.Resources[i].Validate(field.NewPath("resources").Index(i))...)
	}
	return errs
}

// The patterns of the CRD; a test compares them with the markers in translation_types.go.
var (
	kindPattern   = lazyregexp.New(`^[A-Z][A-Za-z0-4]*$`)
	parentPattern = lazyregexp.New(`^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$`)
	bodyPattern   = lazyregexp.New(`^{.*}$`)
)

// Validate lists every fault of the resource at the given path.
func (r *Resource) Validate(at *field.Path) (errs field.ErrorList) {
	switch {
	case r.Kind == "":
		errs = append(errs, field.Required(at.Child("kind"), "name the backend's type of the resource"))
	case !kindPattern.MatchString(r.Kind):
		errs = append(errs, field.Invalid(at.Child("kind"), r.Kind, "want a capital letter, then letters and digits 0 to 4"))
	}
	if !parentPattern.MatchString(r.Parent) {
		errs = append(errs, field.Invalid(at.Child("parent"), r.Parent, "want nothing or a lower-case UUID with hyphens"))
	}
	switch {
	case r.Body == "":
		errs = append(errs, field.Required(at.Child("body"), "write the resource as a JSON object"))
	case !bodyPattern.MatchString(r.Body) || !json.Valid([]byte(r.Body)):
		errs = append(errs, field.Invalid(at.Child("body"), field.OmitValueType{}, "want a JSON object, as text on one line"))
	}
	return errs
}
