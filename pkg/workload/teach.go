package workload

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// learnDefinitions takes in the CustomResourceDefinitions among items. Two that agree do no harm. Of
// several that do not, which is an error, the one that sorts first counts, wherever it stands.
func (r *Resources) learnDefinitions(items []*krm.Object) (errs field.ErrorList) {
	taught := map[typeKey][]Resource{}
	for _, o := range items {
		if k, res := definition(o); res.Plural != "" && !slices.Contains(taught[k], res) {
			taught[k] = append(taught[k], res)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(taught), compareKeys) {
		r.kinds[k] = slices.MinFunc(taught[k], compareResources)
		if len(taught[k]) > 1 {
			errs = append(errs, field.Invalid(field.NewPath("items"), k.name+"."+k.group,
				"two CustomResourceDefinitions give this kind different plurals or scopes"))
		}
	}
	return errs
}

// definition is what o teaches. The Resource has no plural when o is no CustomResourceDefinition
// or only a fragment of one, perhaps a patch: it teaches nothing.
func definition(o *krm.Object) (typeKey, Resource) {
	k := typeKey{o.String("spec", "group"), o.String("spec", "names", "kind")}
	if !o.Is("apiextensions.k8s.io", "CustomResourceDefinition") || k.group == "" || k.name == "" {
		return k, Resource{}
	}
	return k, Resource{
		Plural:     o.String("spec", "names", "plural"),
		Namespaced: o.String("spec", "scope") != "Cluster",
		Known:      true, ListWatch: true,
	}
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

// learnOptions takes in the entries of the option resources.
func (r *Resources) learnOptions(config []string) (errs field.ErrorList) {
	learned := map[typeKey]bool{}
	for i, entry := range config {
		at := field.NewPath("resources").Index(i)
		k, res, err := parseEntry(entry)
		switch {
		case err != nil:
			errs = append(errs, field.Invalid(at, entry, err.Error()))
		case learned[k]:
			errs = append(errs, field.Duplicate(at, entry))
		}
		learned[k], r.kinds[k] = true, res
	}
	return errs
}

func parseEntry(entry string) (typeKey, Resource, error) {
	left, right, _ := strings.Cut(strings.TrimSpace(entry), "=")
	kind, group, _ := strings.Cut(strings.TrimSpace(left), ".")
	plural, scope, scoped := strings.Cut(strings.TrimSpace(right), ",")
	plural, scope = strings.TrimSpace(plural), strings.TrimSpace(scope)
	switch {
	case !isKind(kind):
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is no kind", kind)
	case group != "" && len(validation.IsDNS1123Subdomain(group)) > 0:
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is no API group", group)
	case len(validation.IsDNS1123Label(plural)) > 0:
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is no lower-case plural", plural)
	case scoped && scope != "Cluster" && scope != "Namespaced":
		return typeKey{}, Resource{}, fmt.Errorf("want Cluster or Namespaced after the comma, not %q", scope)
	}
	return typeKey{group, kind}, Resource{Plural: plural, Namespaced: scope != "Cluster", Known: true, ListWatch: true}, nil
}

func isKind(s string) bool { return len(validation.IsDNS1123Label(strings.ToLower(s))) == 0 }
