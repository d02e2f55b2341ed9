package control

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// DecodeStatusCollector reads a StatusCollector and validates it, its expressions excepted: these are
// the status room's.
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

// DecodeWorkStatus reads a WorkStatus and validates it. Its status is input, other than that of the
// other kinds.
func DecodeWorkStatus(o *krm.Object) (*WorkStatus, field.ErrorList) {
	w, errs := decode(o, &WorkStatus{})
	if w == nil {
		return nil, errs
	}
	at := field.NewPath("spec", "sourceRef")
	if ref := o.Lookup("spec", "sourceRef"); ref != nil && krm.Deref(ref).Kind == yaml.MappingNode {
		for _, part := range []string{"group", "namespace"} {
			if n := krm.Lookup(ref, part); n == nil || krm.IsNull(krm.Deref(n)) {
				errs = append(errs, field.Required(at.Child(part), `must be there; "" is none`))
			}
		}
	}
	if status := o.Lookup("status"); status != nil && !krm.IsNull(krm.Deref(status)) {
		errs = append(errs, checkShape(status, field.NewPath("status"), freeform)...)
	}
	return w, errs
}
