package control

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate reports every fault at once, each at its own path: violations of the rules of the installed CRD, and
// invalid selectors. KubeStellar silently skips such selectors in clauses; here they are faults.
func (p *BindingPolicy) Validate() field.ErrorList {
	errs := validateMeta(&p.ObjectMeta)
	spec := field.NewPath("spec")
	_, faults := CompileSelectors(p.Spec.ClusterSelectors, spec.Child("clusterSelectors"))
	errs = append(errs, faults...)
	for i := range p.Spec.Downsync {
		errs = append(errs, p.Spec.Downsync[i].Validate(spec.Child("downsync").Index(i))...)
	}
	return errs
}

// Validate reports every fault of a clause.
func (t *ObjectTest) Validate(at *field.Path) (errs field.ErrorList) {
	if !t.present() {
		errs = append(errs, field.Required(at, "at least one of apiGroup, resources, namespaces, "+
			"namespaceSelectors, objectSelectors, objectNames must be present"))
	}
	_, faults := CompileSelectors(t.NamespaceSelectors, at.Child("namespaceSelectors"))
	errs = append(errs, faults...)
	_, faults = CompileSelectors(t.ObjectSelectors, at.Child("objectSelectors"))
	return append(errs, faults...)
}

// present reports whether any part is present; an empty list is, null is not.
func (t *ObjectTest) present() bool {
	return t.APIGroup != nil || t.Resources != nil || t.Namespaces != nil ||
		t.NamespaceSelectors != nil || t.ObjectSelectors != nil || t.ObjectNames != nil
}

// Validate reports every fault at once: missing names and duplicate entries.
func (b *Binding) Validate() field.ErrorList {
	errs := validateMeta(&b.ObjectMeta)
	spec := field.NewPath("spec")
	seen := keys{}
	for i, o := range b.Spec.Workload.ClusterScope {
		at := spec.Child("workload", "clusterScope").Index(i)
		errs = append(errs, required(at, "version", o.Version, "resource", o.Resource, "name", o.Name)...)
		errs = append(errs, seen.add(at, o.Group, o.Resource, "", o.Name)...)
	}
	for i, o := range b.Spec.Workload.NamespaceScope {
		at := spec.Child("workload", "namespaceScope").Index(i)
		errs = append(errs, required(at, "version", o.Version, "resource", o.Resource, "namespace", o.Namespace, "name", o.Name)...)
		errs = append(errs, seen.add(at, o.Group, o.Resource, o.Namespace, o.Name)...)
	}
	seen = keys{}
	for i, d := range b.Spec.Destinations {
		at := spec.Child("destinations").Index(i)
		errs = append(errs, required(at, "clusterId", d.ClusterID)...)
		errs = append(errs, seen.add(at, d.ClusterID)...)
	}
	return errs
}

// Validate reports missing fields.
func (t *CustomTransform) Validate() field.ErrorList {
	errs := validateMeta(&t.ObjectMeta)
	at := field.NewPath("spec")
	if t.Spec.APIGroup == nil {
		errs = append(errs, field.Required(at.Child("apiGroup"), `name the API group; "" is the core group`))
	}
	if t.Spec.Resource == "" {
		errs = append(errs, field.Required(at.Child("resource"), `name the resource by its plural, such as "deployments"`))
	}
	return errs
}

// Validate reports missing fields. Expressions are checked when they are compiled.
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

// Validate reports every fault at once: rows of another length than the names of the columns, and values
// without the field of their type.
func (c *CombinedStatus) Validate() field.ErrorList {
	errs := dnsName(c.Name, field.NewPath("metadata", "name"), "name the object")
	errs = append(errs, dnsName(c.Namespace, field.NewPath("metadata", "namespace"),
		"name the namespace of the object, or "+ReportNamespace)...)
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

// Validate reports an unknown type and a value in the field of another type.
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

// required reports the fields whose value is empty; fields come as name, value, name, value.
func required(at *field.Path, namesAndValues ...string) (errs field.ErrorList) {
	for i := 0; i < len(namesAndValues); i += 2 {
		if namesAndValues[i+1] == "" {
			errs = append(errs, field.Required(at.Child(namesAndValues[i]), "must not be empty"))
		}
	}
	return errs
}

// keys are the entries of a list whose elements must differ.
type keys map[string]bool

func (k keys) add(at *field.Path, parts ...string) field.ErrorList {
	key := fmt.Sprintf("%q", parts)
	if k[key] {
		return field.ErrorList{field.Duplicate(at, parts[len(parts)-1])}
	}
	k[key] = true
	return nil
}
