package validation

import (
	"regexp"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

func (v *patterns) relatedList(all []waybill.PublishedRelated, at *field.Path) (errs field.ErrorList) {
	if len(all) > maxRelated {
		return field.ErrorList{field.TooMany(at, len(all), maxRelated)}
	}
	seen := map[string]bool{}
	for i := range all {
		r := &all[i]
		if at := at.Index(i).Child("identifier"); r.Identifier != "" && seen[r.Identifier] {
			errs = append(errs, field.Duplicate(at, r.Identifier))
		} else {
			errs = append(errs, required(r.Identifier, at, "name the entry", isIdentifier)...)
		}
		seen[r.Identifier] = true
		errs = append(errs, v.related(r, at.Index(i))...)
	}
	return errs
}

var identifier = lazyregexp.New(`^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$`)

// isIdentifier leaves room for a dot and an index: both are part of the name of an annotation.
func isIdentifier(text string) []string {
	switch {
	case text == "primary" || text == "out":
		return []string{"this name is reserved for the primary object"}
	case len(text) > 57 || !identifier.MatchString(text):
		return []string{"want at most 57 letters, digits and dashes, beginning and ending with a letter or digit"}
	}
	return nil
}

var (
	isNamePattern      = matches(`^[^/%\s]{1,253}$`, "want a name of at most 253 characters, in which * stands for any text")
	isNamespacePattern = matches(`^[-a-z0-9*]{1,63}$`,
		"want a namespace of at most 63 lower-case letters, digits and dashes, in which * stands for any text")
)

// matches is a check by a regular expression, which is compiled when it is first used: that takes longer than all else at the start
// of the program.
func matches(pattern, why string) check {
	re := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	return func(text string) []string {
		if re().MatchString(text) {
			return nil
		}
		return []string{why}
	}
}

func (v *patterns) related(r *waybill.PublishedRelated, at *field.Path) (errs field.ErrorList) {
	if r.Origin == "" {
		errs = append(errs, field.Required(at.Child("origin"), "say kcp or service"))
	}
	errs = append(errs, oneOf(r.Origin, at.Child("origin"), waybill.OriginKCP, waybill.OriginService)...)
	errs = append(errs, relatedType(r, at)...)
	if p, at := r.Projection, at.Child("projection"); p != nil {
		errs = append(errs, optional(p.Group, at.Child("group"), validation.IsDNS1123Subdomain)...)
		errs = append(errs, optional(p.Version, at.Child("version"), validation.IsDNS1035Label)...)
		errs = append(errs, optional(p.Resource, at.Child("resource"), validation.IsDNS1035Label)...)
	}
	errs = append(errs, v.locator(&r.Object.RelatedLocator, at.Child("object"))...)
	errs = append(errs, v.locator(r.Object.Namespace, at.Child("object", "namespace"))...)
	errs = append(errs, v.mutation(r.Mutation, at.Child("mutation"))...)
	errs = append(errs, oneOf(r.CleanupPolicy, at.Child("cleanupPolicy"), waybill.CleanupMatchOrigin, waybill.CleanupOnPrimaryDeletion,
		waybill.CleanupOrphan)...)
	if r.CleanupPolicy != "" && r.Cleanup != nil {
		errs = append(errs, field.Forbidden(at.Child("cleanupPolicy"), "there is cleanup already"))
	}
	errs = append(errs, adoption(r.AdoptionPolicy, at.Child("adoptionPolicy"))...)
	errs = append(errs, distinct(r.AllowedNames, at.Child("allowedNames"), isNamePattern)...)
	errs = append(errs, distinct(r.AllowedNamespaces, at.Child("allowedNamespaces"), isNamespacePattern)...)
	errs = append(errs, distinct(r.AllowedSourceNamespaces, at.Child("allowedSourceNamespaces"), isNamespacePattern)...)
	return append(errs, watch(r, at.Child("watch"))...)
}

func watch(r *waybill.PublishedRelated, at *field.Path) field.ErrorList {
	w := r.Watch
	switch {
	case w == nil && r.SyncStatus && r.Origin == waybill.OriginService:
		return field.ErrorList{field.Required(at, "syncStatus needs it where the origin is service")}
	case w == nil:
		return nil
	}
	errs := exactlyOne(at, choice{"byOwner", w.ByOwner != nil}, choice{"bySelector", w.BySelector != nil})
	return append(errs, labelSelector(w.BySelector, at.Child("bySelector"), false)...)
}

// relatedType wants version and resource, or the deprecated kind in their place.
func relatedType(r *waybill.PublishedRelated, at *field.Path) field.ErrorList {
	errs := optional(r.Group, at.Child("group"), validation.IsDNS1123Subdomain)
	version, resource := at.Child("version"), at.Child("resource")
	if r.Kind != "" || r.Version == "" && r.Resource == "" { // without all three, only the resource is missing
		errs = append(errs, optional(r.Version, version, validation.IsDNS1035Label)...)
	} else {
		errs = append(errs, required(r.Version, version, "name the version, too", validation.IsDNS1035Label)...)
	}
	if r.Kind != "" {
		errs = append(errs, optional(r.Resource, resource, validation.IsDNS1035Label)...)
	} else {
		errs = append(errs, required(r.Resource, resource, "name the lower-case plural, and the version", validation.IsDNS1035Label)...)
	}
	errs = append(errs, oneOf(r.Kind, at.Child("kind"), "ConfigMap", "Secret")...)
	if r.Kind != "" && (r.Group != "" || r.Version != "" || r.Resource != "") {
		errs = append(errs, field.Forbidden(at.Child("kind"), "it is the deprecated way to write version and resource; with group, "+
			"version or resource it cannot be"))
	}
	if r.IdentityHash != "" && (r.Group == "" || r.Version == "" || r.Resource == "") {
		return append(errs, field.Forbidden(at.Child("identityHash"), "it needs group, version and resource"))
	}
	return append(errs, short(r.IdentityHash, at.Child("identityHash"), maxIdentity)...)
}
