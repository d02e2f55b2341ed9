package ocmcheck

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	workv1 "open-cluster-management.io/api/work/v1"
)

// target is a manifest that a config matches. Two kinds may have the same group, namespace and name, so the
// resource counts too.
type target struct {
	manifest int
	resource string
}

// checkConfigs compares every config with the manifests: one that matches nothing in the work, or
// only what an earlier one matches, silently has no effect. That is no fault if an earlier pattern has the same settings.
func checkConfigs(w *workv1.ManifestWork, manifests []manifest) (faults []string) {
	configured := map[target]workv1.ManifestConfigOption{}
	for i, c := range w.Spec.ManifestConfigs {
		fault := func(text string) { faults = append(faults, fmt.Sprintf("manifestConfigs[%d]%s", i, text)) }
		id := c.ResourceIdentifier
		named := fitting(id, manifests)
		free := slices.DeleteFunc(slices.Clone(named), func(m int) bool {
			first, taken := configured[target{m, id.Resource}]
			return taken && !implies(first, c)
		})
		switch {
		case id.Resource == "" || id.Name == "":
			fault(": lacks a resource or name")
		case len(named) == 0:
			fault(": names an object that is not in this work")
		case len(free) == 0:
			fault(": an agent takes the first config of an object; this is another")
		}
		for _, m := range free {
			if _, taken := configured[target{m, id.Resource}]; !taken {
				configured[target{m, id.Resource}] = c
			}
		}
		for _, why := range slices.Concat(checkRules(c), checkStrategy(c.UpdateStrategy)) {
			fault("." + why)
		}
		if !slices.Contains([]workv1.FeedbackScrapeType{"", workv1.FeedbackPollType, workv1.FeedbackWatchType}, c.FeedbackScrapeType) {
			fault(fmt.Sprintf(".feedbackScrapeType: unknown %q", c.FeedbackScrapeType))
		}
	}
	return append(faults, checkLiterals(w, manifests)...)
}

// checkLiterals finds configs of one object with a * in its name that, for agents, also match another
// object of the kind, which has another config or none.
func checkLiterals(w *workv1.ManifestWork, manifests []manifest) (faults []string) {
	for i, c := range w.Spec.ManifestConfigs {
		about := slices.IndexFunc(manifests, func(m manifest) bool {
			return strings.Contains(m.Metadata.Name, "*") && means(c.ResourceIdentifier, m) && c.ResourceIdentifier.Name == m.Metadata.Name
		})
		if about < 0 {
			continue
		}
		others := slices.Delete(slices.Clone(w.Spec.ManifestConfigs), i, i+1)
		for j, m := range manifests {
			if j == about || m.Kind != manifests[about].Kind || m.group() != manifests[about].group() ||
				!fits(c.ResourceIdentifier.Name, m.Metadata.Name) {
				continue
			}
			if own := strategyOf(others, m); own != strategyOf([]workv1.ManifestConfigOption{c}, m) {
				faults = append(faults, fmt.Sprintf("manifestConfigs[%d]: is about %q, and agents take it for %q as well, which is to have %s", i,
					c.ResourceIdentifier.Name, m.Metadata.Name, own))
			}
		}
	}
	return faults
}

// strategyOf is the update strategy of the first config that has one for m.
func strategyOf(configs []workv1.ManifestConfigOption, m manifest) workv1.UpdateStrategyType {
	for _, c := range configs {
		if id := c.ResourceIdentifier; c.UpdateStrategy != nil && means(id, m) && fits(id.Namespace, m.Metadata.Namespace) &&
			fits(id.Name, m.Metadata.Name) {
			return c.UpdateStrategy.Type
		}
	}
	return workv1.UpdateStrategyTypeUpdate
}

// implies reports whether first has a pattern, and the settings of c.
func implies(first, c workv1.ManifestConfigOption) bool {
	pattern := first.ResourceIdentifier != c.ResourceIdentifier
	first.ResourceIdentifier = c.ResourceIdentifier
	return pattern && reflect.DeepEqual(first, c)
}

// fitting are the manifests that id may match. Only a cluster knows the resource of each kind.
func fitting(id workv1.ResourceIdentifier, manifests []manifest) (out []int) {
	for i, m := range manifests {
		if id.Group == m.group() && fits(id.Namespace, m.Metadata.Namespace) && fits(id.Name, m.Metadata.Name) {
			out = append(out, i)
		}
	}
	return out
}

// fits reports whether name matches pattern, in which every * matches any text.
func fits(pattern, name string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == name
	}
	expression := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
	return pattern == "*" || regexp.MustCompile("(?s)^"+expression+"$").MatchString(name)
}

var strategies = []workv1.UpdateStrategyType{"", workv1.UpdateStrategyTypeUpdate, workv1.UpdateStrategyTypeCreateOnly,
	workv1.UpdateStrategyTypeServerSideApply, workv1.UpdateStrategyTypeReadOnly} // "" is Update

func checkStrategy(s *workv1.UpdateStrategy) (faults []string) {
	if s == nil {
		return nil
	}
	fault := func(format string, args ...any) {
		faults = append(faults, "updateStrategy: "+fmt.Sprintf(format, args...))
	}
	if !slices.Contains(strategies, s.Type) {
		fault("unknown strategy %q", s.Type)
	}
	if s.ServerSideApply == nil {
		return faults
	}
	if s.Type != workv1.UpdateStrategyTypeServerSideApply {
		fault("serverSideApply has no effect on strategy %q", s.Type)
	}
	if m := s.ServerSideApply.FieldManager; m != "" && !strings.HasPrefix(m, workv1.DefaultFieldManager) {
		fault("fieldManager %q does not begin with %s", m, workv1.DefaultFieldManager)
	}
	seen := map[workv1.IgnoreFieldsCondition]bool{}
	for _, f := range s.ServerSideApply.IgnoreFields {
		if f.Condition != "" && f.Condition != workv1.IgnoreFieldsConditionOnSpokeChange &&
			f.Condition != workv1.IgnoreFieldsConditionOnSpokePresent {
			fault("ignoreFields: unknown condition %q", f.Condition)
		}
		if seen[f.Condition] {
			fault("ignoreFields: a second %q", f.Condition)
		}
		seen[f.Condition] = true
	}
	return faults
}
