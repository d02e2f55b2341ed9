package writeback

// The labels of objects with a returned status; their value is LabelValue.
const (
	SingletonLabel = "managed-by.kubestellar.io/singletonstatus"
	MultiLabel     = "managed-by.kubestellar.io/multiwecstatus"
	LabelValue     = "true"
)

// Outcome is what happens to an object.
type Outcome string

// The outcomes.
const (
	Leave     Outcome = "Leave"     // status and labels stay
	Copy      Outcome = "Copy"      // the status is that of one cluster
	Aggregate Outcome = "Aggregate" // the status is the aggregate of several
	Clear     Outcome = "Clear"     // a status that was returned before is removed
)

// Decision is what happens to an object, and why.
type Decision struct {
	Outcome Outcome
	// Reason says why, in one line.
	Reason string
	// Changed says that the object does not have all of this yet. It is false for Leave.
	Changed bool
	// Status replaces the whole status, unless the Outcome is Leave. It is shared with a report.
	Status map[string]any
	// Label is the label to set, with LabelValue; "" for none.
	Label string
	// Drop are the labels to remove.
	Drop []string
}

func leave(reason string) Decision { return Decision{Outcome: Leave, Reason: reason} }

// written sets a status and a label, and removes another label.
func (o Object) written(outcome Outcome, status map[string]any, label, drop, reason string) Decision {
	_, stale := o.Labels[drop]
	return Decision{
		Outcome: outcome, Reason: reason, Status: status, Label: label, Drop: []string{drop},
		Changed: stale || o.Labels[label] != LabelValue || !same(o.Status, status),
	}
}

// cleared removes a status that was returned before, which the labels show.
func (o Object) cleared(reason string) Decision {
	_, singleton := o.Labels[SingletonLabel]
	_, multi := o.Labels[MultiLabel]
	if !singleton && !multi {
		return leave(reason)
	}
	return Decision{
		Outcome: Clear, Reason: reason, Changed: true,
		Status: map[string]any{}, Drop: []string{MultiLabel, SingletonLabel},
	}
}
