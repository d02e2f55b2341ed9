// Package selection says what to do about a selector that matches nothing, and which labels its author may have meant.
//
// Shape: Allowed reads the annotation by which one object may select nothing; Near takes a selector and the labels of
// everything it could match; Similar takes a name and those that there are.
// Cost: Near is linear in the labels, plus one comparison of texts for every distinct key or value of a key.
// Errors: only a bad annotation, at its own path.
// Source: ARCHITECTURE, decision 13: a selector that matches nothing never deletes.
package selection

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Annotation on an object with selectors, with value "true", says that it may select nothing where it selected
// something before: what was made for the selection then goes.
const Annotation = "waybill.dev/allow-empty-selection"

// SetAnnotation says how one object may select nothing.
const SetAnnotation = "set the annotation " + Annotation + `: "true" if this is intended`

// SetOption says how all objects of a package may select nothing.
const SetOption = `set option allowEmptySelection: "true" if this is intended`

// HowToAllow ends messages about a selection that is empty and was not before.
const HowToAllow = "correct the selector, or " + SetAnnotation

// Allowed reports whether an object with these annotations may select nothing. Any value but "true" and "false" is an
// error, and allows nothing.
func Allowed(annotations map[string]string) (bool, *field.Error) {
	switch value, set := annotations[Annotation]; {
	case !set, value == "false":
		return false, nil
	case value == "true":
		return true, nil
	default:
		return false, field.NotSupported(field.NewPath("metadata", "annotations").Key(Annotation), value, []string{"false", "true"})
	}
}

// Count is a number of things in words: "1 cluster", "3 clusters", "2 policies".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
