package workload

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// definitionFields are the fields in which a CustomResourceDefinition declares its kind.
var definitionFields = [][]string{{"spec", "group"}, {"spec", "names", "kind"}, {"spec", "names", "plural"}, {"spec", "scope"}}

// DefinitionFields are the paths of the fields in which a CustomResourceDefinition declares the name and scope
// of its kind.
func DefinitionFields() [][]string { return definitionFields }

// readDefinitions reads the CustomResourceDefinitions among items. Two may agree. If several do not, which is an error,
// the one that sorts first counts.
func (r *Resources) readDefinitions(items []*krm.Object) (errs field.ErrorList) {
	declared := map[typeKey][]Resource{}
	for _, o := range items {
		if k, res := definition(o); res.Plural != "" && !slices.Contains(declared[k], res) {
			declared[k] = append(declared[k], res)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(declared), compareKeys) {
		r.kinds[k] = slices.MinFunc(declared[k], compareResources)
		if len(declared[k]) > 1 {
			errs = append(errs, field.Invalid(field.NewPath("items"), k.name+"."+k.group,
				"two CustomResourceDefinitions give this kind different plurals or scopes"))
		}
	}
	return errs
}

// definition is what o declares. The Resource has no plural if o is no CustomResourceDefinition,
// or one that an API server would not take, such as a patch of one.
func definition(o *krm.Object) (typeKey, Resource) {
	if !isDefinition(o) || definitionFault(o) != "" {
		return typeKey{}, Resource{}
	}
	return typeKey{o.String("spec", "group"), o.String("spec", "names", "kind")}, Resource{
		Plural:     o.String("spec", "names", "plural"),
		Namespaced: o.String("spec", "scope") != "Cluster",
		Known:      true, ListWatch: true,
	}
}

// DefinitionName is the required name of a CustomResourceDefinition; "" for any other object, and for one that declares
// nothing.
func DefinitionName(o *krm.Object) string {
	k, res := definition(o)
	if res.Plural == "" {
		return ""
	}
	return res.Plural + "." + k.group
}

// SameDefinition reports whether two objects declare the same about a kind; most declare nothing.
func SameDefinition(a, b *krm.Object) bool {
	aKind, aResource := definition(a)
	bKind, bResource := definition(b)
	return aKind == bKind && aResource == bResource
}

// WarnOfDefinitions warns of the CustomResourceDefinitions among items that have fields about
// their kind and declare nothing.
func WarnOfDefinitions(items []*krm.Object) (warnings sdk.Results) {
	for _, o := range items {
		if !isDefinition(o) || !slices.ContainsFunc(definitionFields, func(path []string) bool { return o.Lookup(path...) != nil }) {
			continue
		}
		if why := definitionFault(o); why != "" {
			warnings = append(warnings, fn.NewResult(sdk.Warning, o, field.NewPath("spec"), "declares nothing about its kind: %s", why))
		}
	}
	return warnings
}

func isDefinition(o *krm.Object) bool {
	return o.Is("apiextensions.k8s.io", "CustomResourceDefinition")
}

// definitionFault is why a CustomResourceDefinition declares nothing; "" if it does.
func definitionFault(o *krm.Object) string {
	group, kind := o.String("spec", "group"), o.String("spec", "names", "kind")
	plural, scope := o.String("spec", "names", "plural"), o.String("spec", "scope")
	switch {
	case group == "":
		return "spec.group is missing"
	case kind == "":
		return "spec.names.kind is missing"
	case plural == "":
		return "spec.names.plural is missing"
	case !isPlural(plural):
		return fmt.Sprintf("spec.names.plural %q is not a lower-case plural", plural)
	case scope == "" && o.Version() == "v1beta1": // the one version with a default
		return ""
	case scope != "Cluster" && scope != "Namespaced":
		return fmt.Sprintf("spec.scope is %q; want Cluster or Namespaced", scope)
	}
	return ""
}

func compareKeys(a, b typeKey) int {
	return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name))
}

func compareResources(a, b Resource) int {
	if a.Plural == b.Plural && a.Namespaced != b.Namespaced {
		return map[bool]int{true: 1, false: -1}[a.Namespaced]
	}
	return cmp.Compare(a.Plural, b.Plural)
}
