package mapcontroller

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// prepareTypes resolves the types in the spec, each of which may occur once in its list.
func (c *Controller) prepareTypes(spec *field.Path) (errs field.ErrorList) {
	var faults field.ErrorList
	at := spec.Child("parentResource")
	c.parent, faults = resolve(c.types, c.spec.ParentResource.MapType, at)
	errs = append(errs, faults...)
	c.parents, faults = selector(c.spec.ParentResource.LabelSelector, at.Child("labelSelector"))
	errs = append(errs, faults...)

	errs = append(errs, c.prepareInputs(spec.Child("inputResources"))...)
	errs = append(errs, c.prepareOutputs(spec.Child("outputResources"))...)
	nameFields(len(c.inputs), func(i int) *resource { return &c.inputs[i].resource })
	nameFields(len(c.outputs), func(i int) *resource { return &c.outputs[i].resource })
	return errs
}

func (c *Controller) prepareInputs(at *field.Path) (errs field.ErrorList) {
	var faults field.ErrorList
	errs = append(errs, countTypes(len(c.spec.InputResources), at)...)
	for i, rule := range c.spec.InputResources {
		in := input{}
		in.resource, faults = resolve(c.types, rule.MapType, at.Index(i))
		errs = append(errs, faults...)
		in.selector, faults = selector(rule.LabelSelector, at.Index(i).Child("labelSelector"))
		errs = append(errs, faults...)
		errs = append(errs, checkDuplicate(in.resource, c.inputResources(), at.Index(i))...)
		c.inputs = append(c.inputs, in)
	}
	return errs
}

func (c *Controller) prepareOutputs(at *field.Path) (errs field.ErrorList) {
	var faults field.ErrorList
	errs = append(errs, countTypes(len(c.spec.OutputResources), at)...)
	for i, rule := range c.spec.OutputResources {
		out := output{}
		out.resource, faults = resolve(c.types, rule.MapType, at.Index(i))
		errs = append(errs, faults...)
		out.update, faults = updateMethod(rule.UpdateStrategy, at.Index(i).Child("updateStrategy", "method"))
		errs = append(errs, faults...)
		errs = append(errs, checkDuplicate(out.resource, c.outputResources(), at.Index(i))...)
		c.outputs = append(c.outputs, out)
	}
	return errs
}

func countTypes(n int, at *field.Path) field.ErrorList {
	switch {
	case n == 0:
		return field.ErrorList{field.Required(at, "name at least one type")}
	case n > maxTypes:
		return field.ErrorList{field.TooMany(at, n, maxTypes)}
	}
	return nil
}

// checkDuplicate refuses a type that occurs earlier in the list.
func checkDuplicate(r resource, before []resource, at *field.Path) field.ErrorList {
	for _, b := range before {
		if r.Kind != "" && b.GroupKind == r.GroupKind {
			return field.ErrorList{field.Duplicate(at, r.GroupKind.String())}
		}
	}
	return nil
}

func (c *Controller) inputResources() (all []resource) {
	for i := range c.inputs {
		all = append(all, c.inputs[i].resource)
	}
	return all
}

func (c *Controller) outputResources() (all []resource) {
	for i := range c.outputs {
		all = append(all, c.outputs[i].resource)
	}
	return all
}

// nameFields sets the names of types in a status: the plural, with the group where two types have the same plural.
func nameFields(n int, of func(int) *resource) {
	count := map[string]int{}
	for i := range n {
		count[of(i).Plural]++
	}
	for i := range n {
		r := of(i)
		if r.field = r.Plural; count[r.Plural] > 1 && r.Group != "" {
			r.field += "." + r.Group
		}
	}
}

func kindsOf(types []resource) (kinds []schema.GroupKind) {
	for i := range types {
		kinds = append(kinds, types[i].GroupKind)
	}
	return kinds
}

// selector converts a label selector; missing and empty ones select everything.
func selector(s *metav1.LabelSelector, at *field.Path) (labels.Selector, field.ErrorList) {
	if s == nil {
		return labels.Everything(), nil
	}
	ready, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return labels.Nothing(), field.ErrorList{field.Invalid(at, field.OmitValueType{}, err.Error())}
	}
	return ready, nil
}

func updateMethod(u *waybill.MapUpdate, at *field.Path) (applyset.Update, field.ErrorList) {
	if u == nil || u.Method == "" {
		return applyset.InPlace, nil
	}
	methods := map[string]applyset.Update{
		waybill.UpdateInPlace: applyset.InPlace, waybill.UpdateRecreate: applyset.Recreate, waybill.UpdateOnDelete: applyset.OnDelete,
	}
	m, is := methods[u.Method]
	if !is {
		return m, field.ErrorList{field.NotSupported(at, u.Method,
			[]string{waybill.UpdateInPlace, waybill.UpdateOnDelete, waybill.UpdateRecreate})}
	}
	return m, nil
}
