package control

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// The Decode functions read one kind each and validate it. With errors they give what can be read,
// zero values where something is wrong, and nil when nothing can be read.

// DecodeBindingPolicy reads a BindingPolicy and validates it.
func DecodeBindingPolicy(o *krm.Object) (*BindingPolicy, field.ErrorList) {
	return decode(o, &BindingPolicy{})
}

// DecodeBinding reads a Binding and validates it.
func DecodeBinding(o *krm.Object) (*Binding, field.ErrorList) { return decode(o, &Binding{}) }

// DecodeCustomTransform reads a CustomTransform and validates it, the paths it removes excepted:
// these are the transform room's.
func DecodeCustomTransform(o *krm.Object) (*CustomTransform, field.ErrorList) {
	t, errs := decode(o, &CustomTransform{})
	if t != nil && o.Lookup("spec") == nil {
		errs = append(validateMeta(&t.ObjectMeta), field.Required(field.NewPath("spec"), "say what to remove, and from which resource"))
	}
	return t, errs
}

// validated is one of the kinds here.
type validated interface{ Validate() field.ErrorList }

// decode fills out, a pointer to one of the kinds here, with what can be read of o, lists what
// cannot, and validates the rest. A status is not input: one that does not fit is left out.
func decode[T validated](o *krm.Object, out T) (none T, errs field.ErrorList) {
	if o.APIVersion() != APIVersion {
		return none, field.ErrorList{field.NotSupported(field.NewPath("apiVersion"), o.APIVersion(), []string{APIVersion})}
	}
	t := reflect.TypeOf(out).Elem()
	n := withoutOddStatus(o.Node(), t)
	if errs = checkShape(n, nil, t); len(errs) > 0 {
		n = mended(n, t)
	}
	if err := krm.DecodeLoose(n, nil, out); err != nil {
		return none, append(errs, fieldErrors(err, nil)...)
	}
	return out, append(errs, elsewhere(out.Validate(), errs)...)
}

// withoutOddStatus is n, or a copy without the status if that does not fit the type t.
func withoutOddStatus(n *yaml.Node, t reflect.Type) *yaml.Node {
	status, known := krm.Lookup(n, "status"), fields(t)["status"]
	if status == nil || known == nil || krm.IsNull(status) {
		return n
	}
	if len(checkShape(status, nil, known)) == 0 {
		return n
	}
	out := *krm.Deref(n)
	out.Content = slices.Clone(out.Content)
	krm.RemoveField(&out, "status")
	return &out
}

// elsewhere is found without what stands where, or below where, one of known does already.
func elsewhere(found, known field.ErrorList) field.ErrorList {
	return slices.DeleteFunc(found, func(e *field.Error) bool {
		return slices.ContainsFunc(known, func(k *field.Error) bool {
			below, in := strings.CutPrefix(e.Field, k.Field)
			return in && (below == "" || below[0] == '.' || below[0] == '[')
		})
	})
}

// validateMeta holds every cluster-scoped kind here to a name that can be a part of a file name.
func validateMeta(m *metav1.ObjectMeta) (errs field.ErrorList) {
	errs = validateName(m)
	if m.Namespace != "" {
		errs = append(errs, field.Forbidden(field.NewPath("metadata", "namespace"), "the kind is cluster-scoped"))
	}
	return errs
}

// validateNamespaced does so for the kinds that are in a namespace, which is named for what says.
func validateNamespaced(m *metav1.ObjectMeta, what string) (errs field.ErrorList) {
	errs = validateName(m)
	at := field.NewPath("metadata", "namespace")
	if m.Namespace == "" {
		return append(errs, field.Required(at, "name "+what))
	}
	if faults := validation.NameIsDNSSubdomain(m.Namespace, false); len(faults) > 0 {
		errs = append(errs, field.Invalid(at, m.Namespace, strings.Join(faults, "; ")))
	}
	return errs
}

func validateName(m *metav1.ObjectMeta) (errs field.ErrorList) {
	at := field.NewPath("metadata")
	if m.Name == "" {
		errs = append(errs, field.Required(at.Child("name"), "name the object"))
	} else if faults := validation.NameIsDNSSubdomain(m.Name, false); len(faults) > 0 {
		errs = append(errs, field.Invalid(at.Child("name"), m.Name, strings.Join(faults, "; ")))
	}
	return errs
}
