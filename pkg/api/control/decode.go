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

// The Decode functions read one kind each and validate it. With errors they return the valid part, with zero values in place of
// faults, and nil when there is none.

// DecodeBindingPolicy reads a BindingPolicy and validates it.
func DecodeBindingPolicy(o *krm.Object) (*BindingPolicy, field.ErrorList) {
	return decode(o, &BindingPolicy{})
}

// DecodeBinding reads a Binding and validates it.
func DecodeBinding(o *krm.Object) (*Binding, field.ErrorList) { return decode(o, &Binding{}) }

// DecodeStatusCollector reads a StatusCollector and validates it, except for its expressions: package status compiles
// these.
func DecodeStatusCollector(o *krm.Object) (*StatusCollector, field.ErrorList) {
	c, errs := decode(o, &StatusCollector{})
	if c != nil && o.Lookup("spec") == nil {
		errs = append(validateMeta(&c.ObjectMeta), field.Required(field.NewPath("spec"), "say what to collect"))
	}
	return c, errs
}

// DecodeCombinedStatus reads a CombinedStatus and validates it.
func DecodeCombinedStatus(o *krm.Object) (*CombinedStatus, field.ErrorList) {
	return decode(o, &CombinedStatus{})
}

// DecodeCustomTransform reads a CustomTransform and validates it, except for its paths: package transform compiles
// these.
func DecodeCustomTransform(o *krm.Object) (*CustomTransform, field.ErrorList) {
	t, errs := decode(o, &CustomTransform{})
	if t != nil && o.Lookup("spec") == nil {
		errs = append(validateMeta(&t.ObjectMeta), field.Required(field.NewPath("spec"), "say what to remove, and from which resource"))
	}
	return t, errs
}

// validated is one of the kinds here.
type validated interface{ Validate() field.ErrorList }

// decode fills out, a pointer to one of the kinds here, with the valid part of o, lists the faults, and validates the
// rest. A status is not input: an invalid one is ignored.
func decode[T validated](o *krm.Object, out T) (none T, errs field.ErrorList) {
	if o.APIVersion() != APIVersion {
		return none, field.ErrorList{field.NotSupported(field.NewPath("apiVersion"), o.APIVersion(), []string{APIVersion})}
	}
	t := reflect.TypeOf(out).Elem()
	n := withoutBadStatus(o.Node(), t)
	if errs = checkShape(n, nil, t); len(errs) > 0 {
		n = repaired(n, t)
	}
	if faults := krm.DecodeErrors(n, nil, out); len(faults) > 0 {
		return none, append(errs, faults...)
	}
	return out, append(errs, withoutKnown(out.Validate(), errs)...)
}

// withoutBadStatus is n, or a copy without the status if that is no valid t.
func withoutBadStatus(n *yaml.Node, t reflect.Type) *yaml.Node {
	status, known := krm.Lookup(n, "status"), krm.JSONFields(t)["status"]
	if status == nil || known == nil || krm.IsNull(status) || len(checkShape(status, nil, known)) == 0 {
		return n
	}
	out := *krm.Deref(n)
	out.Content = slices.Clone(out.Content)
	krm.RemoveField(&out, "status")
	return &out
}

// withoutKnown is found without the faults at or below the path of a known fault.
func withoutKnown(found, known field.ErrorList) field.ErrorList {
	return slices.DeleteFunc(found, func(e *field.Error) bool {
		return slices.ContainsFunc(known, func(k *field.Error) bool {
			below, in := strings.CutPrefix(e.Field, k.Field)
			return in && (below == "" || below[0] == '.' || below[0] == '[')
		})
	})
}

// validateMeta checks the name of a cluster-scoped kind, which becomes part of a file name.
func validateMeta(m *metav1.ObjectMeta) field.ErrorList {
	errs := dnsName(m.Name, field.NewPath("metadata", "name"), "name the object")
	if m.Namespace != "" {
		errs = append(errs, field.Forbidden(field.NewPath("metadata", "namespace"), "the kind is cluster-scoped"))
	}
	return errs
}

// dnsName checks a name that must not be empty; what is the message if it is.
func dnsName(name string, at *field.Path, what string) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(at, what)}
	}
	if faults := validation.NameIsDNSSubdomain(name, false); len(faults) > 0 {
		return field.ErrorList{field.Invalid(at, name, strings.Join(faults, "; "))}
	}
	return nil
}
