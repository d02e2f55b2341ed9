package waybill

import (
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func validRelated(all []PublishedRelated, at *field.Path) (errs field.ErrorList) {
	if len(all) > maxRelated {
		return field.ErrorList{field.TooMany(at, len(all), maxRelated)}
	}
	seen := map[string]bool{}
	for i := range all {
		r := &all[i]
		if at := at.Index(i).Child("identifier"); r.Identifier != "" && seen[r.Identifier] {
			errs = append(errs, field.Duplicate(at, r.Identifier))
		} else {
			errs = append(errs, named(r.Identifier, at, "name the entry", isIdentifier)...)
		}
		seen[r.Identifier] = true
		errs = append(errs, r.validate(at.Index(i))...)
	}
	return errs
}

var identifier = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$`)

// isIdentifier leaves room for an index behind a dot: both name an annotation.
func isIdentifier(word string) []string {
	switch {
	case word == "primary" || word == "out":
		return []string{"the primary object goes by this name"}
	case len(word) > 57 || !identifier.MatchString(word):
		return []string{"want at most 57 letters, digits and dashes, beginning and ending with a letter or digit"}
	}
	return nil
}

var (
	namePattern      = regexp.MustCompile(`^[^/%\s]{1,253}$`)
	namespacePattern = regexp.MustCompile(`^[-a-z0-9*]{1,63}$`)
)

func isNamePattern(word string) []string {
	if !namePattern.MatchString(word) {
		return []string{"want a name of at most 253 characters, in which * stands for any text"}
	}
	return nil
}

func isNamespacePattern(word string) []string {
	if !namespacePattern.MatchString(word) {
		return []string{"want a namespace of at most 63 lower-case letters, digits and dashes, in which * stands for any text"}
	}
	return nil
}

func (r *PublishedRelated) validate(at *field.Path) (errs field.ErrorList) {
	if r.Origin == "" {
		errs = append(errs, field.Required(at.Child("origin"), "say kcp or service"))
	}
	errs = append(errs, oneOf(r.Origin, at.Child("origin"), OriginKCP, OriginService)...)
	errs = append(errs, r.validateType(at)...)
	errs = append(errs, r.Projection.validate(at.Child("projection"))...)
	errs = append(errs, r.Object.RelatedLocator.validate(at.Child("object"))...)
	errs = append(errs, r.Object.Namespace.validate(at.Child("object", "namespace"))...)
	errs = append(errs, r.Mutation.validate(at.Child("mutation"))...)
	errs = append(errs, oneOf(r.CleanupPolicy, at.Child("cleanupPolicy"), CleanupMatchOrigin, CleanupOnPrimaryDeletion, CleanupOrphan)...)
	if r.CleanupPolicy != "" && r.Cleanup != nil {
		errs = append(errs, field.Forbidden(at.Child("cleanupPolicy"), "there is cleanup already"))
	}
	errs = append(errs, oneOf(r.AdoptionPolicy, at.Child("adoptionPolicy"), AdoptConverge, AdoptNever, AdoptPreserve)...)
	errs = append(errs, distinct(r.AllowedNames, at.Child("allowedNames"), isNamePattern)...)
	errs = append(errs, distinct(r.AllowedNamespaces, at.Child("allowedNamespaces"), isNamespacePattern)...)
	errs = append(errs, distinct(r.AllowedSourceNamespaces, at.Child("allowedSourceNamespaces"), isNamespacePattern)...)
	if r.SyncStatus && r.Origin == OriginService && r.Watch == nil {
		errs = append(errs, field.Required(at.Child("watch"), "syncStatus needs it where the origin is service"))
	}
	return append(errs, r.Watch.validate(at.Child("watch"))...)
}

// validateType wants version and resource, or the deprecated kind in their place.
func (r *PublishedRelated) validateType(at *field.Path) (errs field.ErrorList) {
	errs = append(errs, maybe(r.Group, at.Child("group"), validation.IsDNS1123Subdomain)...)
	errs = append(errs, r.validateVersion(at.Child("version"))...)
	errs = append(errs, r.validateResource(at.Child("resource"))...)
	errs = append(errs, oneOf(r.Kind, at.Child("kind"), "ConfigMap", "Secret")...)
	if r.Kind != "" && (r.Group != "" || r.Version != "" || r.Resource != "") {
		errs = append(errs, field.Forbidden(at.Child("kind"), "it is the deprecated way to write version and resource; with group, "+
			"version or resource it cannot be"))
	}
	switch {
	case r.IdentityHash != "" && (r.Group == "" || r.Version == "" || r.Resource == ""):
		return append(errs, field.Forbidden(at.Child("identityHash"), "it needs group, version and resource"))
	default:
		return append(errs, short(r.IdentityHash, at.Child("identityHash"), maxIdentity)...)
	}
}

func (r *PublishedRelated) validateVersion(at *field.Path) field.ErrorList {
	if r.Kind != "" || r.Version == "" && r.Resource == "" { // the resource is what is asked for
		return maybe(r.Version, at, validation.IsDNS1035Label)
	}
	return named(r.Version, at, "name the version, too", validation.IsDNS1035Label)
}

func (r *PublishedRelated) validateResource(at *field.Path) field.ErrorList {
	if r.Kind != "" {
		return maybe(r.Resource, at, validation.IsDNS1035Label)
	}
	return named(r.Resource, at, "name the lower-case plural, and the version", validation.IsDNS1035Label)
}

func (p *RelatedProjection) validate(at *field.Path) (errs field.ErrorList) {
	if p == nil {
		return nil
	}
	errs = append(errs, maybe(p.Group, at.Child("group"), validation.IsDNS1123Subdomain)...)
	errs = append(errs, maybe(p.Version, at.Child("version"), validation.IsDNS1035Label)...)
	return append(errs, maybe(p.Resource, at.Child("resource"), validation.IsDNS1035Label)...)
}

func (w *RelatedWatch) validate(at *field.Path) field.ErrorList {
	if w == nil {
		return nil
	}
	errs := exactlyOne(at, choice{"byOwner", w.ByOwner != nil}, choice{"bySelector", w.BySelector != nil})
	return append(errs, validSelector(w.BySelector, at.Child("bySelector"), false)...)
}
