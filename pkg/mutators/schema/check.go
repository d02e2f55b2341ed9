package schema

import (
	"fmt"
	"regexp"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// check reports patterns that no regular expression can be made of; the library panics on them.
func check(s *spec.Schema) error {
	if s.Pattern != "" {
		if _, err := regexp.Compile(s.Pattern); err != nil {
			return fmt.Errorf("pattern: %w", err)
		}
	}
	for _, list := range [][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			if err := check(&list[i]); err != nil {
				return err
			}
		}
	}
	return checkBelow(s)
}

// checkBelow checks the schemas of what is in a value.
func checkBelow(s *spec.Schema) error {
	below := []*spec.Schema{s.Not}
	if s.Items != nil {
		below = append(below, s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		below = append(below, s.AdditionalProperties.Schema)
	}
	for name := range s.Properties {
		p := s.Properties[name]
		below = append(below, &p)
	}
	for _, b := range below {
		if b == nil {
			continue
		}
		if err := check(b); err != nil {
			return err
		}
	}
	return nil
}
