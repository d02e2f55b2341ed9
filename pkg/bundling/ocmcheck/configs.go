package ocmcheck

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	workv1 "open-cluster-management.io/api/work/v1"
)

// claim is a manifest that a config speaks for. Two kinds may share group, namespace and name, so the
// resource counts too.
type claim struct {
	manifest int
	resource string
}

// checkConfigs holds every config against the manifests: one that names nothing in the work, or
// only what an earlier one names, does nothing, in silence. That is no fault where a pattern before it says
// the same.
func checkConfigs(w *workv1.ManifestWork, manifests []manifest) (faults []string) {
	claimed := map[claim]workv1.ManifestConfigOption{}
	for i, c := range w.Spec.ManifestConfigs {
		fault := func(text string) { faults = append(faults, fmt.Sprintf("manifestConfigs[%d]%s", i, text)) }
		id := c.ResourceIdentifier
		named := fitting(id, manifests)
		spare := slices.DeleteFunc(slices.Clone(named), func(m int) bool {
			first, taken := claimed[claim{m, id.Resource}]
			return taken && !foresees(first, c)
		})
		switch {
		case id.Resource == "" || id.Name == "":
			fault(": lacks a resource or name")
		case len(named) == 0:
			fault(": names an object that is not in this work")
		case len(spare) == 0:
			fault(": an agent takes the first config of an object; this is another")
		}
		for _, m := range spare {
			if _, taken := claimed[claim{m, id.Resource}]; !taken {
				claimed[claim{m, id.Resource}] = c
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

// checkLiterals looks for configs that are about one object with a * in its name, and that agents would take for another
// object of the kind which another config, or none, is about.
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

// strategyOf is that of the first config that has one for m.
func strategyOf(configs []workv1.ManifestConfigOption, m manifest) workv1.UpdateStrategyType {
	for _, c := range configs {
		if id := c.ResourceIdentifier; c.UpdateStrategy != nil && means(id, m) && fits(id.Namespace, m.Metadata.Namespace) &&
			fits(id.Name, m.Metadata.Name) {
			return c.UpdateStrategy.Type
		}
	}
	return workv1.UpdateStrategyTypeUpdate
}

// foresees reports whether first, by a pattern, says what c says of one object.
func foresees(first, c workv1.ManifestConfigOption) bool {
	pattern := first.ResourceIdentifier != c.ResourceIdentifier
	first.ResourceIdentifier = c.ResourceIdentifier
	return pattern && reflect.DeepEqual(first, c)
}

// fitting lists the manifests that id may mean. Which resource a kind is only a cluster knows.
func fitting(id workv1.ResourceIdentifier, manifests []manifest) (out []int) {
	for i, m := range manifests {
		if id.Group == m.group() && fits(id.Namespace, m.Metadata.Namespace) && fits(id.Name, m.Metadata.Name) {
			out = append(out, i)
		}
	}
	return out
}

// fits reports whether name is pattern, in which every * stands for any text.
func fits(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	name, first := strings.CutPrefix(name, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = after
	}
	return first && strings.HasSuffix(name, parts[len(parts)-1])
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
