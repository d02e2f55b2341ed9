package reports

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
)

// State is the state of an object in a cluster, according to the ManifestWork that sends it there.
type State string

// The states.
const (
	// Failed: the agent could not apply the present manifest. The cluster has an older one, or none.
	Failed State = "Failed"
	// Missing: the object does not exist in the cluster.
	Missing State = "Missing"
	// Stale: the report is about an older generation than the one that was sent.
	Stale State = "Stale"
	// Unknown: the agent does not know.
	Unknown State = "Unknown"
	// Applied: the cluster has what was sent.
	Applied State = "Applied"
	// NotReported: it is not reported.
	NotReported State = ""
)

// fromBest are the states, a better one before a worse one.
var fromBest = []State{NotReported, Applied, Unknown, Stale, Missing, Failed}

func (s State) isWorseThan(b State) bool {
	return slices.Index(fromBest, s) > slices.Index(fromBest, b)
}

// Manifest is what a ManifestWork says about an object as one of its manifests. It is not about the object's own status: the
// condition Available says that the object exists.
type Manifest struct {
	State State
	// Message says why, in one line of bounded length; "" for Applied and NotReported. For Failed it is what the cluster's API
	// server said.
	Message string
	// Conditions are those of the manifest, as the work has them.
	Conditions []any
	// Feedback has the values of the feedback rules of the work, by name.
	Feedback map[string]any
}

// Plain is m as expressions see it; nil when nothing is reported.
func (m Manifest) Plain() map[string]any {
	if m.isEmpty() {
		return nil
	}
	conditions, feedback := m.Conditions, m.Feedback
	if conditions == nil {
		conditions = []any{}
	}
	if feedback == nil {
		feedback = map[string]any{}
	}
	return map[string]any{"state": string(m.State), "message": m.Message, "conditions": conditions, "feedback": feedback}
}

// Failure says why the cluster does not have the object as it was sent; "" when it has it or may have it.
func (m Manifest) Failure() string {
	switch m.State {
	case Failed:
		return "apply failed: " + m.Message
	case Missing:
		return "the object is missing: " + m.Message
	}
	return ""
}

func (m Manifest) isEmpty() bool {
	return m.State == NotReported && m.Message == "" && len(m.Conditions) == 0 && len(m.Feedback) == 0
}

// joined combines two sources: the worse state counts, and the first of two equal ones.
func (m Manifest) joined(b Manifest) Manifest {
	if m.isEmpty() {
		return b
	}
	if b.State.isWorseThan(m.State) {
		m, b = b, m
	}
	if len(m.Conditions) == 0 && len(m.Feedback) == 0 { // a WorkStatus has only the state
		m.Conditions, m.Feedback = b.Conditions, b.Feedback
	}
	return m
}

func (m Manifest) same(b Manifest) bool {
	return m.State == b.State && m.Message == b.Message &&
		reflect.DeepEqual(m.Conditions, b.Conditions) && reflect.DeepEqual(m.Feedback, b.Feedback)
}

// stateOf reads the state of a manifest from its conditions.
func (w workReader) stateOf(conditions []any) (State, string) {
	applied, available := conditionAt(conditions, "Applied"), conditionAt(conditions, "Available")
	age := w.age(applied)
	switch {
	case text(applied, "status") == "False":
		if age != "" {
			age = " (" + age + ")"
		}
		return Failed, reasonOf(applied) + age
	case text(available, "status") == "False":
		return Missing, reasonOf(available)
	case age != "":
		return Stale, age
	case text(applied, "status") == "Unknown":
		return Unknown, reasonOf(applied)
	case text(available, "status") == "Unknown":
		return Unknown, reasonOf(available)
	case applied != nil:
		return Applied, ""
	}
	return NotReported, ""
}

// age says that a report is about an older generation of the work than the present one, if both are known; otherwise "".
func (w workReader) age(applied map[string]any) string {
	observed, _ := applied["observedGeneration"].(int64)
	if observed = cmp.Or(observed, w.observed); observed <= 0 || observed >= w.generation {
		return ""
	}
	return fmt.Sprintf("the report is about generation %d of the work, which is at generation %d", observed, w.generation)
}

func conditionAt(conditions []any, kind string) map[string]any {
	for _, c := range conditions {
		if condition, _ := c.(map[string]any); condition != nil && text(condition, "type") == kind {
			return condition
		}
	}
	return nil
}
