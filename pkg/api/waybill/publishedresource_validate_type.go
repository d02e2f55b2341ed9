package waybill

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func (t *PublishedType) validate(at *field.Path) (errs field.ErrorList) {
	errs = append(errs, named(t.APIGroup, at.Child("apiGroup"), "name the group of a CustomResourceDefinition",
		validation.IsDNS1123Subdomain)...)
	errs = append(errs, named(t.Kind, at.Child("kind"), "name the kind of a CustomResourceDefinition", isKind)...)
	errs = append(errs, distinct(t.Versions, at.Child("versions"), validation.IsDNS1035Label)...)
	if t.Version != "" && len(t.Versions) > 0 {
		return append(errs, field.Forbidden(at.Child("version"), "there are versions already; it is the deprecated way to write them"))
	}
	return append(errs, maybe(t.Version, at.Child("version"), validation.IsDNS1035Label)...)
}

// isKind holds kinds to what definitions may call them.
func isKind(kind string) []string { return validation.IsDNS1035Label(strings.ToLower(kind)) }

// validate knows the versions that are selected by name, nil for all that there are.
func (p *PublishedProjection) validate(selected []string, at *field.Path) (errs field.ErrorList) {
	if p == nil {
		return nil
	}
	errs = append(errs, maybe(p.Group, at.Child("group"), validation.IsDNS1123Subdomain)...)
	errs = append(errs, maybe(p.Kind, at.Child("kind"), isKind)...)
	errs = append(errs, maybe(p.Plural, at.Child("plural"), validation.IsDNS1035Label)...)
	errs = append(errs, oneOf(p.Scope, at.Child("scope"), "Cluster", "Namespaced")...)
	errs = append(errs, distinct(p.ShortNames, at.Child("shortNames"), validation.IsDNS1035Label)...)
	errs = append(errs, distinct(p.Categories, at.Child("categories"), validation.IsDNS1035Label)...)
	errs = append(errs, p.validateVersions(selected, at.Child("versions"))...)
	return append(errs, p.validateVersion(selected, at.Child("version"))...)
}

func (p *PublishedProjection) validateVersions(selected []string, at *field.Path) (errs field.ErrorList) {
	if len(p.Versions) > maxNames {
		return field.ErrorList{field.TooMany(at, len(p.Versions), maxNames)}
	}
	for _, old := range slices.Sorted(maps.Keys(p.Versions)) {
		if why := validation.IsDNS1035Label(old); len(why) > 0 {
			errs = append(errs, field.Invalid(at, old, why[0]))
			continue
		}
		errs = append(errs, named(p.Versions[old], at.Key(old), "name a version", validation.IsDNS1035Label)...)
		if selected != nil && !slices.Contains(selected, old) {
			errs = append(errs, field.Invalid(at.Key(old), p.Versions[old], "this version is not selected in spec.resource"))
		}
	}
	from := map[string]string{}
	for _, old := range selected {
		name := or(p.Versions[old], old)
		if other, taken := from[name]; taken && other != old {
			errs = append(errs, field.Invalid(at, field.OmitValueType{}, fmt.Sprintf("%s and %s would both be called %s", other, old, name)))
		}
		from[name] = old
	}
	return errs
}

func (p *PublishedProjection) validateVersion(selected []string, at *field.Path) field.ErrorList {
	switch {
	case p.Version == "":
		return nil
	case len(p.Versions) > 0:
		return field.ErrorList{field.Forbidden(at, "there are versions already; it is the deprecated way to write them")}
	case len(selected) > 1:
		return field.ErrorList{field.Forbidden(at, "more than one version is selected in spec.resource; use versions")}
	}
	return maybe(p.Version, at, validation.IsDNS1035Label)
}
