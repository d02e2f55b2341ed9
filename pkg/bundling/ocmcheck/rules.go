package ocmcheck

import (
	"fmt"

	workv1 "open-cluster-management.io/api/work/v1"
)

// checkRules checks feedback and condition rules by the schema of works, and by what an agent reports as a broken rule.
func checkRules(c workv1.ManifestConfigOption) (faults []string) {
	for i, r := range c.FeedbackRules {
		for _, fault := range checkFeedback(r) {
			faults = append(faults, fmt.Sprintf("feedbackRules[%d]: %s", i, fault))
		}
	}
	conditions := map[string]bool{}
	for i, r := range c.ConditionRules {
		for _, fault := range checkCondition(r) {
			faults = append(faults, fmt.Sprintf("conditionRules[%d]: %s", i, fault))
		}
		if conditions[r.Condition] {
			faults = append(faults, fmt.Sprintf("conditionRules[%d]: a second rule for %q", i, r.Condition))
		}
		conditions[r.Condition] = true
	}
	return faults
}

func checkFeedback(r workv1.FeedbackRule) (faults []string) {
	switch {
	case r.Type == workv1.JSONPathsType && len(r.JsonPaths) == 0:
		faults = append(faults, "names no paths")
	case r.Type != workv1.JSONPathsType && r.Type != workv1.WellKnownStatusType:
		faults = append(faults, fmt.Sprintf("unknown type %q", r.Type))
	}
	names := map[string]bool{}
	for _, p := range r.JsonPaths {
		if p.Name == "" || p.Path == "" || names[p.Name] {
			faults = append(faults, fmt.Sprintf("a path without name or path, or a second %q", p.Name))
		}
		names[p.Name] = true
	}
	return faults
}

func checkCondition(r workv1.ConditionRule) (faults []string) {
	switch {
	case r.Type == workv1.CelConditionExpressionsType && len(r.CelExpressions) == 0:
		faults = append(faults, "has no expression")
	case r.Type != workv1.CelConditionExpressionsType && r.Type != workv1.WellKnownConditionsType:
		faults = append(faults, fmt.Sprintf("unknown type %q", r.Type))
	}
	if r.Condition == "" && r.Type == workv1.CelConditionExpressionsType { // well-known ones have their own
		faults = append(faults, "names no condition")
	}
	return faults
}
