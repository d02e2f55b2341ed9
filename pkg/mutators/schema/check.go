package schema

import (
	"fmt"
	"regexp"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// checkPatterns reports an invalid pattern in s or below it; the library panics on one.
func checkPatterns(s *spec.Schema) error {
	if s == nil {
		return nil
	}
	if _, err := regexp.Compile(s.Pattern); err != nil {
		return fmt.Errorf("pattern: %w", err)
	}
	below := []*spec.Schema{s.Not}
	for _, list := range [][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			below = append(below, &list[i])
		}
	}
	if s.Items != nil {
		below = append(below, s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		below = append(below, s.AdditionalProperties.Schema)
	}
	for _, p := range s.Properties {
		below = append(below, &p)
	}
	for _, b := range below {
		if err := checkPatterns(b); err != nil {
			return err
		}
	}
	return nil
}
