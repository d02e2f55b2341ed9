// Package selection says what to do about a selector that matches nothing, and which labels its author may have meant.
//
// Shape: Allowed reads the annotation that allows an object to select nothing; Near takes a selector and the labels of
// everything that it could match; Similar takes a name and the existing names.
// Cost: Near is linear in the labels, plus one comparison of texts for every distinct key or value of a key.
// Errors: only an invalid annotation, at its path.
// Source: ARCHITECTURE, decision 13: a selector that matches nothing never deletes.
package selection

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Annotation with the value "true" allows an object with selectors to select nothing although it selected something before: what
// was generated for the selection is deleted then.
const Annotation = "waybill.dev/allow-empty-selection"

// SetAnnotation says how to allow that for one object.
const SetAnnotation = "set the annotation " + Annotation + `: "true" if this is intended`

// SetOption says how to allow that for all objects of a package.
const SetOption = `set option allowEmptySelection: "true" if this is intended`

// HowToAllow is the end of messages about a selection that is empty and was not before.
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
