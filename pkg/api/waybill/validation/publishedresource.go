package validation

import (
	"path"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// PublishedResource lists the faults that can be found without the published type.
func PublishedResource(p *waybill.PublishedResource) field.ErrorList {
	errs := required(p.Name, field.NewPath("metadata", "name"), "name the object", validation.IsDNS1123Subdomain)
	s, at, v := &p.Spec, field.NewPath("spec"), &patterns{}
	errs = append(errs, publishedType(&s.Resource, at.Child("resource"))...)
	errs = append(errs, filter(s.Filter, at.Child("filter"))...)
	if n := s.Naming; n != nil {
		errs = append(errs, short(n.Name, at.Child("naming", "name"), maxProgram)...)
		errs = append(errs, short(n.Namespace, at.Child("naming", "namespace"), maxProgram)...)
	}
	errs = append(errs, projection(s.Projection, p.Versions(), at.Child("projection"))...)
	errs = append(errs, v.mutation(s.Mutation, at.Child("mutation"))...)
	errs = append(errs, v.relatedList(s.Related, at.Child("related"))...)
	errs = append(errs, options(s, at)...)
	return append(errs, v.tooLarge...)
}

// options checks the fields that kcp's API lacks.
func options(s *waybill.PublishedResourceSpec, at *field.Path) field.ErrorList {
	errs := optional(s.AgentName, at.Child("agentName"), validation.IsDNS1035Label)
	errs = append(errs, optional(s.Cluster, at.Child("cluster"), validation.IsValidLabelValue)...)
	errs = append(errs, paths(s.Paths, at.Child("paths"))...)
	errs = append(errs, oneOf(s.View, at.Child("view"), waybill.ViewComplete, waybill.ViewPartial)...)
	errs = append(errs, maxDeletions(s.MaxDeletions, at.Child("maxDeletions"))...)
	errs = append(errs, adoption(s.AdoptionPolicy, at.Child("adoptionPolicy"))...)
	return append(errs, oneOf(s.DriftPolicy, at.Child("driftPolicy"), waybill.DriftCorrect, waybill.DriftTolerate)...)
}

func adoption(policy string, at *field.Path) field.ErrorList {
	return oneOf(policy, at, waybill.AdoptConverge, waybill.AdoptNever, waybill.AdoptPreserve)
}

func filter(f *waybill.PublishedFilter, at *field.Path) field.ErrorList {
	if f == nil {
		return nil
	}
	errs := labelSelector(f.Namespace, at.Child("namespace"), false)
	errs = append(errs, labelSelector(f.Resource, at.Child("resource"), false)...)
	return append(errs, oneOf(f.OnExclude, at.Child("onExclude"), waybill.ExcludeDelete, waybill.ExcludeRetain)...)
}

func paths(p *waybill.PublishedPaths, at *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	errs := append(folder(p.Source, at.Child("source")), folder(p.Destination, at.Child("destination"))...)
	if len(errs) == 0 && p.Source != "" && p.Destination != "" && (within(p.Source, p.Destination) || within(p.Destination, p.Source)) {
		errs = append(errs, field.Invalid(at.Child("destination"), p.Destination, "want a folder beside "+strconv.Quote(p.Source)+
			", neither within the other"))
	}
	return errs
}

func folder(name string, at *field.Path) field.ErrorList {
	switch clean := path.Clean(name); {
	case len(name) > maxFolder:
		return field.ErrorList{field.TooLong(at, "", maxFolder)}
	case strings.ContainsAny(name, "\\\x00"):
		return field.ErrorList{field.Invalid(at, name, "want the parts of the path separated by /")}
	case path.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../"):
		return field.ErrorList{field.Invalid(at, name, "want a relative path inside the package")}
	}
	return nil
}

// within reports whether folder is outer or in it.
func within(folder, outer string) bool {
	folder, outer = path.Clean(folder), path.Clean(outer)
	return outer == "." || folder == outer || strings.HasPrefix(folder, outer+"/")
}

// maxDeletions has the rules of package applyset, which parses the limit.
func maxDeletions(limit *intstr.IntOrString, at *field.Path) field.ErrorList {
	if limit == nil {
		return nil
	}
	number, percent := strings.CutSuffix(limit.String(), "%")
	if n, err := strconv.ParseUint(number, 10, 31); err != nil || percent && n > 100 {
		return field.ErrorList{field.Invalid(at, limit.String(), waybill.WantLimit)}
	}
	return nil
}
