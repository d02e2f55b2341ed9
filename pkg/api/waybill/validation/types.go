package validation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// deprecatedVersion says why version is forbidden beside versions.
const deprecatedVersion = "there are versions already; it is the deprecated way to write them"

func publishedType(t *waybill.PublishedType, at *field.Path) field.ErrorList {
	errs := optional(t.APIGroup, at.Child("apiGroup"), validation.IsDNS1123Subdomain)
	errs = append(errs, required(t.Kind, at.Child("kind"), "name the kind of the type", isKind)...)
	errs = append(errs, distinct(t.Versions, at.Child("versions"), validation.IsDNS1035Label)...)
	if t.Version != "" && len(t.Versions) > 0 {
		return append(errs, field.Forbidden(at.Child("version"), deprecatedVersion))
	}
	return append(errs, optional(t.Version, at.Child("version"), validation.IsDNS1035Label)...)
}

// isKind has the rule of CustomResourceDefinitions for kinds.
func isKind(kind string) []string { return validation.IsDNS1035Label(strings.ToLower(kind)) }

// projection gets the versions that are selected by name, nil for all.
func projection(p *waybill.PublishedProjection, selected []string, at *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	errs := optional(p.Group, at.Child("group"), validation.IsDNS1123Subdomain)
	errs = append(errs, optional(p.Kind, at.Child("kind"), isKind)...)
	errs = append(errs, optional(p.Plural, at.Child("plural"), validation.IsDNS1035Label)...)
	errs = append(errs, oneOf(p.Scope, at.Child("scope"), "Cluster", "Namespaced")...)
	errs = append(errs, distinct(p.ShortNames, at.Child("shortNames"), validation.IsDNS1035Label)...)
	errs = append(errs, distinct(p.Categories, at.Child("categories"), validation.IsDNS1035Label)...)
	errs = append(errs, projectedVersions(p.Versions, selected, at.Child("versions"))...)
	return append(errs, projectedVersion(p, selected, at.Child("version"))...)
}

func projectedVersions(versions map[string]string, selected []string, at *field.Path) (errs field.ErrorList) {
	if len(versions) > maxNames {
		return field.ErrorList{field.TooMany(at, len(versions), maxNames)}
	}
	for _, old := range slices.Sorted(maps.Keys(versions)) {
		if why := validation.IsDNS1035Label(old); len(why) > 0 {
			errs = append(errs, field.Invalid(at, old, why[0]))
			continue
		}
		errs = append(errs, required(versions[old], at.Key(old), "name a version", validation.IsDNS1035Label)...)
		if selected != nil && !slices.Contains(selected, old) {
			errs = append(errs, field.Invalid(at.Key(old), versions[old], "this version is not selected in spec.resource"))
		}
	}
	from := map[string]string{}
	for _, old := range selected {
		name := cmp.Or(versions[old], old)
		if other, taken := from[name]; taken && other != old {
			errs = append(errs, field.Invalid(at, field.OmitValueType{}, fmt.Sprintf("%s and %s would both be called %s", other, old, name)))
		}
		from[name] = old
	}
	return errs
}

func projectedVersion(p *waybill.PublishedProjection, selected []string, at *field.Path) field.ErrorList {
	switch {
	case p.Version == "":
		return nil
	case len(p.Versions) > 0:
		return field.ErrorList{field.Forbidden(at, deprecatedVersion)}
	case len(selected) > 1:
		return field.ErrorList{field.Forbidden(at, "more than one version is selected in spec.resource; use versions")}
	}
	return optional(p.Version, at, validation.IsDNS1035Label)
}
