package waybill

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Bounds, those of the definition: files do not pass an API server.
const (
	maxRelated  = 50
	maxRules    = 100
	maxNames    = 50
	maxFolder   = 4096
	maxPath     = 1024  // a path into an object
	maxPattern  = 4096  // a regular expression, or what replaces its matches
	maxProgram  = 10240 // a template or an expression
	maxIdentity = 253
)

// check is one of package validation: what is wrong with a word.
type check func(string) []string

// named checks a word that must be there.
func named(word string, at *field.Path, what string, valid check) field.ErrorList {
	if word == "" {
		return field.ErrorList{field.Required(at, what)}
	}
	return maybe(word, at, valid)
}

// maybe checks a word that may be empty.
func maybe(word string, at *field.Path, valid check) field.ErrorList {
	if word == "" {
		return nil
	}
	if why := valid(word); len(why) > 0 {
		return field.ErrorList{field.Invalid(at, word, why[0])}
	}
	return nil
}

// distinct checks the words of a list, each of which may be there once.
func distinct(words []string, at *field.Path, valid check) (errs field.ErrorList) {
	if len(words) > maxNames {
		return field.ErrorList{field.TooMany(at, len(words), maxNames)}
	}
	for i, word := range words {
		if slices.Contains(words[:i], word) {
			errs = append(errs, field.Duplicate(at.Index(i), word))
		} else {
			errs = append(errs, named(word, at.Index(i), "want a word", valid)...)
		}
	}
	return errs
}

// oneOf checks a word of a few, or none.
func oneOf(word string, at *field.Path, words ...string) field.ErrorList {
	if word == "" || slices.Contains(words, word) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, word, words)}
}

// short refuses text beyond a bound. It is not repeated.
func short(text string, at *field.Path, most int) field.ErrorList {
	if len(text) > most {
		return field.ErrorList{field.TooLong(at, "", most)}
	}
	return nil
}

// needed is short for text that must be there.
func needed(text string, at *field.Path, what string, most int) field.ErrorList {
	if text == "" {
		return field.ErrorList{field.Required(at, what)}
	}
	return short(text, at, most)
}

// choice is a field of those of which exactly one is to be there.
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

// validSelector checks a label selector, one label after the other so that faults have an order. Where templates
// are allowed, a key or value of matchLabels that is one is nobody's label yet.
func validSelector(s *metav1.LabelSelector, at *field.Path, templates bool) (errs field.ErrorList) {
	if s == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		value := s.MatchLabels[key]
		if templates && IsTemplate(value) {
			errs = append(errs, short(value, at.Child("matchLabels").Key(key), maxProgram)...)
			value = ""
		}
		if templates && IsTemplate(key) {
			errs = append(errs, short(key, at.Child("matchLabels"), maxProgram)...)
			key = "key"
		}
		errs = append(errs, metavalidation.ValidateLabelSelector(&metav1.LabelSelector{MatchLabels: map[string]string{key: value}},
			metavalidation.LabelSelectorValidationOptions{}, at)...)
	}
	return append(errs, metavalidation.ValidateLabelSelector(&metav1.LabelSelector{MatchExpressions: s.MatchExpressions},
		metavalidation.LabelSelectorValidationOptions{}, at)...)
}

// IsTemplate reports whether text of a PublishedResource that may be a template is one.
func IsTemplate(text string) bool { return strings.Contains(text, "{{") }
