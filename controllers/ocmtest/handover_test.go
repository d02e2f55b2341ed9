package ocmtest

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestHandOver shows what becomes of an object x that work a held, for histories of works that the agent sees one after
// the other.
func TestHandOver(t *testing.T) {
	x, y := configMap("x", "1"), configMap("y", "1")
	type state map[string]string // by work: its manifests, and after a bar what else its spec says
	ssa, rule := every(applyForced), orphaning("x")
	released := `"manifestConfigs":[` + config("", "configmaps", "x", createOnly) + `],` + rule
	watched := `"manifestConfigs":[` + config("", "configmaps", "x", readOnly) + `],` + rule
	named := strings.Replace(x, `,"data":{"key":"1"}`, "", 1)
	cases := map[string]struct {
		reason string
		steps  []state
		want   string // what is there in the end
	}{
		"both, then one": {"an object that two works hold outlives either",
			[]state{{"a": x + "|" + ssa}, {"a": x + "|" + ssa, "b": x + "|" + ssa}, {"b": x + "|" + ssa}}, "same, of b"},
		"both, other content": {"they need not agree",
			[]state{{"a": x + "|" + ssa}, {"a": x + "|" + ssa, "b": configMap("x", "2") + "|" + ssa}, {"b": configMap("x", "2") + "|" + ssa}}, "same, of b"},
		"both by Update": {"nor need they apply server-side",
			[]state{{"a": x + "," + y + "|"}, {"a": x + "," + y + "|", "b": x + "|"}, {"a": y + "|", "b": x + "|"}}, "same, of b"},
		"strategies differ": {"nor in the same way",
			[]state{{"a": x + "|"}, {"a": x + "|", "b": x + "|" + ssa}, {"b": x + "|" + ssa}}, "same, of b"},
		"released while held": {"a rule for an object in the work ends the ownership",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": x + "," + y + "|" + released}}, "same, of none"},
		"released, then dropped": {"and so the work may drop it",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": x + "," + y + "|" + released}, {"a": y + "|" + ssa}}, "same, of none"},
		"released, dropped, adopted": {"and another work adopts what is there",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": x + "," + y + "|" + released}, {"a": y + "|" + ssa}, {"a": y + "|" + ssa, "b": x + "|" + ssa}}, "same, of b"},
		"handed over": {"the hand-over of bundle-manifestwork: an entry in the earlier work releases while the later one adopts",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": y + "," + x + "|" + released, "b": x + "|" + ssa}, {"a": y + "|" + ssa, "b": x + "|" + ssa}}, "same, of b"},
		"handed over by name": {"or only watches it",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": y + "," + named + "|" + watched, "b": x + "|" + ssa}, {"a": y + "|" + ssa, "b": x + "|" + ssa}}, "same, of b"},
		"watched": {"ReadOnly releases nothing, rule or not: alone it is no protection",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": x + "," + y + "|" + watched}, {"a": y + "|" + ssa}}, "gone"},
		"rule in the step that drops": {"a rule for an object that is no longer in the work does nothing",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": y + "|" + ssa + "," + rule}}, "gone"},
		"rule with a wildcard": {"rules know no wildcards",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": x + "," + y + "|" + ssa + "," + orphaning("*")}, {"a": y + "|" + ssa}}, "gone"},
		"dropped before it is adopted": {"an agent deletes at once",
			[]state{{"a": x + "," + y + "|" + ssa}, {"a": y + "|" + ssa}, {"a": y + "|" + ssa, "b": x + "|" + ssa}}, "new, of b"},
		"work deleted":                 {"a work takes its objects along", []state{{"a": x + "|" + ssa}, {}}, "gone"},
		"work deleted, CreateOnly":     {"those that it only created, too", []state{{"a": x + "|" + every(createOnly)}, {}}, "gone"},
		"work deleted, Orphan":         {"unless it said otherwise before", []state{{"a": x + "|" + ssa}, {"a": x + "|" + ssa + "," + orphan}, {}}, "same, of none"},
		"work deleted, Orphan, Update": {"or from the beginning", []state{{"a": x + "|" + orphan}, {}}, "same, of none"},
		"work deleted, released":       {"for this object", []state{{"a": x + "|" + ssa}, {"a": x + "|" + released}, {}}, "same, of none"},
		"rule for ever":                {"a rule that fits nothing is harmless", []state{{"a": x + "|" + ssa + "," + orphaning("z")}, {"a": x + "|" + ssa + "," + orphaning("z")}}, "same, of a"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			first := ""
			for i, step := range tc.steps {
				var works []*unstructured.Unstructured
				for name, text := range step {
					manifests, spec, _ := strings.Cut(text, "|")
					works = append(works, s.work(t, name, spec, manifests))
				}
				s.settle(t, works...)
				if i == 0 {
					first = string(s.get(t, "v1", "ConfigMap", "x").GetUID())
				}
			}
			if got := s.fate(t, first); got != tc.want {
				t.Errorf("%s: want %s, got %s", tc.reason, tc.want, got)
			}
		})
	}
}

// fate says what became of the ConfigMap x, which had that uid.
func (s *site) fate(t *testing.T, uid string) string {
	t.Helper()
	x := s.get(t, "v1", "ConfigMap", "x")
	if x == nil {
		return "gone"
	}
	owners := "none"
	if works := Owners(x); len(works) > 0 {
		owners = strings.ReplaceAll(strings.Join(works, " and "), s.namespace+"-", "")
	}
	if string(x.GetUID()) == uid {
		return fmt.Sprintf("same, of %s", owners)
	}
	return fmt.Sprintf("new, of %s", owners)
}
