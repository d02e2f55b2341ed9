package waybill

import (
	"path"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate lists every fault that shows without a look at the type that is published, each at its own path, in field
// order. Templates, expressions and paths into objects are checked where they are made ready for use.
func (p *PublishedResource) Validate() (errs field.ErrorList) {
	errs = append(errs, named(p.Name, field.NewPath("metadata", "name"), "name the object", validation.IsDNS1123Subdomain)...)
	s, at := &p.Spec, field.NewPath("spec")
	errs = append(errs, s.Resource.validate(at.Child("resource"))...)
	errs = append(errs, s.Filter.validate(at.Child("filter"))...)
	errs = append(errs, s.Naming.validate(at.Child("naming"))...)
	errs = append(errs, s.Projection.validate(p.Versions(), at.Child("projection"))...)
	errs = append(errs, s.Mutation.validate(at.Child("mutation"))...)
	errs = append(errs, validRelated(s.Related, at.Child("related"))...)
	errs = append(errs, s.validateOptions(at)...)
	return append(errs, s.weighPatterns(at)...)
}

// validateOptions is for what this project adds.
func (s *PublishedResourceSpec) validateOptions(at *field.Path) (errs field.ErrorList) {
	errs = append(errs, maybe(s.AgentName, at.Child("agentName"), validation.IsDNS1035Label)...)
	errs = append(errs, maybe(s.Cluster, at.Child("cluster"), validation.IsValidLabelValue)...)
	errs = append(errs, s.Paths.validate(at.Child("paths"))...)
	errs = append(errs, oneOf(s.View, at.Child("view"), ViewComplete, ViewPartial)...)
	errs = append(errs, validLimit(s.MaxDeletions, at.Child("maxDeletions"))...)
	errs = append(errs, oneOf(s.AdoptionPolicy, at.Child("adoptionPolicy"), AdoptConverge, AdoptNever, AdoptPreserve)...)
	return append(errs, oneOf(s.DriftPolicy, at.Child("driftPolicy"), DriftCorrect, DriftTolerate)...)
}

func (f *PublishedFilter) validate(at *field.Path) (errs field.ErrorList) {
	if f == nil {
		return nil
	}
	errs = append(errs, validSelector(f.Namespace, at.Child("namespace"), false)...)
	errs = append(errs, validSelector(f.Resource, at.Child("resource"), false)...)
	return append(errs, oneOf(f.OnExclude, at.Child("onExclude"), ExcludeDelete, ExcludeRetain)...)
}

func (n *PublishedNaming) validate(at *field.Path) (errs field.ErrorList) {
	if n == nil {
		return nil
	}
	errs = append(errs, short(n.Name, at.Child("name"), maxProgram)...)
	return append(errs, short(n.Namespace, at.Child("namespace"), maxProgram)...)
}

func (p *PublishedPaths) validate(at *field.Path) (errs field.ErrorList) {
	if p == nil {
		return nil
	}
	errs = append(errs, validFolder(p.Source, at.Child("source"))...)
	errs = append(errs, validFolder(p.Destination, at.Child("destination"))...)
	if len(errs) == 0 && p.Source != "" && p.Destination != "" && (within(p.Source, p.Destination) || within(p.Destination, p.Source)) {
		errs = append(errs, field.Invalid(at.Child("destination"), p.Destination, "want a folder beside "+strconv.Quote(p.Source)+
			", neither within the other"))
	}
	return errs
}

func validFolder(folder string, at *field.Path) field.ErrorList {
	switch clean := path.Clean(folder); {
	case len(folder) > maxFolder:
		return field.ErrorList{field.TooLong(at, "", maxFolder)}
	case strings.ContainsAny(folder, "\\\x00"):
		return field.ErrorList{field.Invalid(at, folder, "want the parts of the path separated by /")}
	case path.IsAbs(folder) || clean == ".." || strings.HasPrefix(clean, "../"):
		return field.ErrorList{field.Invalid(at, folder, "want a relative path inside the package")}
	}
	return nil
}

// within reports whether folder is outer or lies in it.
func within(folder, outer string) bool {
	folder, outer = path.Clean(folder), path.Clean(outer)
	return outer == "." || folder == outer || strings.HasPrefix(folder, outer+"/")
}

// validLimit holds maxDeletions to the rules of package correspond, which reads it.
func validLimit(limit *intstr.IntOrString, at *field.Path) field.ErrorList {
	if limit == nil {
		return nil
	}
	number, percent := strings.CutSuffix(limit.String(), "%")
	if n, err := strconv.ParseUint(number, 10, 31); err != nil || percent && n > 100 {
		return field.ErrorList{field.Invalid(at, limit.String(), wantLimit)}
	}
	return nil
}
