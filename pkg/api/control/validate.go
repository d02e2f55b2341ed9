package control

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate reports every fault at once, each at its own path: what the installed CRD refuses, and
// selectors that no controller could use. In clauses too these are faults, where KubeStellar
// skips them without a word.
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

// present reports whether any part is; an empty list is present, null is not.
func (t *ObjectTest) present() bool {
	return t.APIGroup != nil || t.Resources != nil || t.Namespaces != nil ||
		t.NamespaceSelectors != nil || t.ObjectSelectors != nil || t.ObjectNames != nil
}

// Validate reports every fault at once: names that are missing and entries that occur twice.
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

// Validate reports what is missing.
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
