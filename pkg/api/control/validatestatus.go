package control

import (
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

var freeform = reflect.TypeFor[Freeform]()

// Validate reports what is missing. What the expressions are worth shows when they are compiled.
func (c *StatusCollector) Validate() field.ErrorList {
	errs := validateMeta(&c.ObjectMeta)
	if c.Spec.Limit == nil {
		errs = append(errs, field.Required(field.NewPath("spec", "limit"), "say how many rows to expect at most, such as 20"))
	}
	return errs
}

// payloads are the fields of a Value by its type.
var payloads = map[ValueType]string{
	TypeString: "string", TypeNumber: "float", TypeBool: "bool", TypeNull: "", TypeObject: "object", TypeArray: "array",
}

// Validate reports every fault at once: rows that are not as long as the names of the columns, and
// values of a type without the field for it.
func (c *CombinedStatus) Validate() field.ErrorList {
	errs := validateNamespaced(&c.ObjectMeta, "the namespace of the object, or "+ReportNamespace)
	for i, r := range c.Results {
		at := field.NewPath("results").Index(i)
		errs = append(errs, required(at, "name", r.Name)...)
		for j, row := range r.Rows {
			at := at.Child("rows").Index(j).Child("columns")
			if len(row.Columns) != len(r.ColumnNames) {
				errs = append(errs, field.Invalid(at, len(row.Columns), "want as many as columnNames"))
			}
			for k := range row.Columns {
				errs = append(errs, row.Columns[k].Validate(at.Index(k))...)
			}
		}
	}
	return errs
}

// Validate reports a type that is unknown and a payload that does not go with it.
func (v *Value) Validate(at *field.Path) field.ErrorList {
	want, known := payloads[v.Type]
	if !known {
		return field.ErrorList{field.NotSupported(at.Child("type"), v.Type,
			[]ValueType{TypeArray, TypeBool, TypeNull, TypeNumber, TypeObject, TypeString})}
	}
	var errs field.ErrorList
	for _, p := range []struct {
		name    string
		present bool
	}{
		{"string", v.String != nil}, {"float", v.Number != nil}, {"bool", v.Bool != nil},
		{"object", !v.Object.IsZero()}, {"array", !v.Array.IsZero()},
	} {
		if p.present && p.name != want {
			errs = append(errs, field.Forbidden(at.Child(p.name), "does not go with type "+string(v.Type)))
		}
		if !p.present && p.name == want {
			errs = append(errs, field.Required(at.Child(p.name), "holds what type "+string(v.Type)+" says"))
		}
	}
	return errs
}

// Validate reports every fault at once.
func (w *WorkStatus) Validate() field.ErrorList {
	errs := validateNamespaced(&w.ObjectMeta, "the mailbox namespace, which is the cluster")
	ref := w.Spec.SourceRef
	return append(errs, required(field.NewPath("spec", "sourceRef"),
		"version", ref.Version, "resource", ref.Resource, "kind", ref.Kind, "name", ref.Name)...)
}
