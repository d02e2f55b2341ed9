package writeback

import "math"

// kindName is a kind of any version.
type kindName struct{ group, kind string }

// aggregation is how the statuses of a kind are aggregated.
type aggregation struct {
	least, most []string // fields that become the minimum and the maximum
	// notable selects the one condition that is kept; nil for a kind without conditions.
	notable func(condition map[string]any) bool
}

var aggregations = map[kindName]aggregation{
	{"apps", "Deployment"}: {
		least:   []string{"replicas", "updatedReplicas", "availableReplicas", "readyReplicas", "observedGeneration"},
		most:    []string{"unavailableReplicas"},
		notable: isStuck,
	},
	{"apps", "ReplicaSet"}: {
		least:   []string{"replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"},
		notable: isReplicaFailure,
	},
	{"apps", "DaemonSet"}: {
		least: []string{
			"currentNumberScheduled", "desiredNumberScheduled", "numberReady",
			"observedGeneration", "updatedNumberScheduled", "numberAvailable",
		},
		most: []string{"numberMisscheduled"},
	},
}

// Aggregates reports whether statuses of a kind are aggregated, so that its objects may have MultiLabel.
func Aggregates(group, kind string) bool {
	_, known := aggregations[kindName{group, kind}]
	return known
}

func isStuck(c map[string]any) bool {
	return c["type"] == "Progressing" && c["reason"] == "ProgressDeadlineExceeded"
}

// isReplicaFailure does not look at the status of the condition.
func isReplicaFailure(c map[string]any) bool { return c["type"] == "ReplicaFailure" }

// join makes one status, with every field of the rule, of several.
func (a aggregation) join(statuses []map[string]any, strict bool) map[string]any {
	joined := map[string]any{}
	for _, field := range a.least {
		joined[field] = fold(statuses, field, strict, func(x, y int64) int64 { return min(x, y) })
	}
	for _, field := range a.most {
		joined[field] = fold(statuses, field, strict, func(x, y int64) int64 { return max(x, y) })
	}
	if a.notable != nil {
		joined["conditions"] = first(statuses, a.notable)
	}
	return joined
}

// fold combines a field of the statuses that have it as a whole number; strict counts it as 0 in the others. It is 0 when no
// status has it.
func fold(statuses []map[string]any, field string, strict bool, pick func(x, y int64) int64) (out int64) {
	some := false
	for _, status := range statuses {
		n, whole := integer(status[field])
		switch {
		case !whole && !strict:
		case !some:
			out, some = n, true
		default:
			out = pick(out, n)
		}
	}
	return out
}

// integer is v as a whole number; 0 for any other value.
func integer(v any) (n int64, whole bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v), true
		}
	}
	return 0, false
}

// first is a list of the first notable condition; an empty list when there is none.
func first(statuses []map[string]any, notable func(map[string]any) bool) []any {
	for _, status := range statuses {
		conditions, _ := status["conditions"].([]any)
		for _, c := range conditions {
			if condition, isMap := c.(map[string]any); isMap && notable(condition) {
				return []any{condition}
			}
		}
	}
	return []any{}
}
