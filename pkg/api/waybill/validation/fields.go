package validation

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Limits of the CustomResourceDefinition.
const (
	maxRelated  = 50
	maxRules    = 100
	maxNames    = 50
	maxFolder   = 4096
	maxPath     = 1024  // a path into an object
	maxPattern  = 4096  // a regular expression, or its replacement
	maxProgram  = 10240 // a template or an expression
	maxIdentity = 253
)

// check returns the faults of a text, like the functions of apimachinery's package validation.
type check func(string) []string

// required checks a text that must not be empty.
func required(text string, at *field.Path, what string, valid check) field.ErrorList {
	if text == "" {
		return field.ErrorList{field.Required(at, what)}
	}
	return optional(text, at, valid)
}

// optional checks a text that may be empty.
func optional(text string, at *field.Path, valid check) field.ErrorList {
	if text == "" {
		return nil
	}
	if why := valid(text); len(why) > 0 {
		return field.ErrorList{field.Invalid(at, text, why[0])}
	}
	return nil
}

// distinct checks the texts of a list, none of which may occur twice.
func distinct(texts []string, at *field.Path, valid check) (errs field.ErrorList) {
	if len(texts) > maxNames {
		return field.ErrorList{field.TooMany(at, len(texts), maxNames)}
	}
	for i, text := range texts {
		if slices.Contains(texts[:i], text) {
			errs = append(errs, field.Duplicate(at.Index(i), text))
		} else {
			errs = append(errs, required(text, at.Index(i), "must not be empty", valid)...)
		}
	}
	return errs
}

// oneOf checks that a text is empty or one of those supported.
func oneOf(text string, at *field.Path, supported ...string) field.ErrorList {
	if text == "" || slices.Contains(supported, text) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, text, supported)}
}

// short refuses a text that is too long, without quoting it.
func short(text string, at *field.Path, most int) field.ErrorList {
	if len(text) > most {
		return field.ErrorList{field.TooLong(at, "", most)}
	}
	return nil
}

// program is short for a text that must not be empty.
func program(text string, at *field.Path, what string, most int) field.ErrorList {
	if text == "" {
		return field.ErrorList{field.Required(at, what)}
	}
	return short(text, at, most)
}

// choice is one of several fields, exactly one of which must be given.
type choice struct {
	name  string
	given bool
}

func exactlyOne(at *field.Path, choices ...choice) field.ErrorList {
	var names []string
	count := 0
	for _, c := range choices {
		names = append(names, c.name)
		if c.given {
			count++
		}
	}
	if count == 1 {
		return nil
	}
	last := len(names) - 1
	return field.ErrorList{field.Invalid(at, field.OmitValueType{}, "give it exactly one of "+strings.Join(names[:last], ", ")+
		" and "+names[last])}
}

// labelSelector checks a label selector, one label after the other for a fixed order of faults. Where templates are
// allowed, a template among the keys and values of matchLabels is no label yet.
func labelSelector(s *metav1.LabelSelector, at *field.Path, templates bool) (errs field.ErrorList) {
	if s == nil {
		return nil
	}
	validate := func(s metav1.LabelSelector) {
		errs = append(errs, metavalidation.ValidateLabelSelector(&s, metavalidation.LabelSelectorValidationOptions{}, at)...)
	}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		value := s.MatchLabels[key]
		if templates && waybill.IsTemplate(value) {
			errs = append(errs, short(value, at.Child("matchLabels").Key(key), maxProgram)...)
			value = ""
		}
		if templates && waybill.IsTemplate(key) {
			errs = append(errs, short(key, at.Child("matchLabels"), maxProgram)...)
			key = "key"
		}
		validate(metav1.LabelSelector{MatchLabels: map[string]string{key: value}})
	}
	validate(metav1.LabelSelector{MatchExpressions: s.MatchExpressions})
	return errs
}
