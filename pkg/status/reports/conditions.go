package reports

import "slices"

// withConcluded adds conditions that values are the status of to those that the object has itself; each type
// once, the first wins. It is nil when there is nothing to add or what the object has is no list.
func withConcluded(own any, concluded []value) (conditions []any) {
	conditions, isList := own.([]any)
	if own != nil && !isList || len(concluded) == 0 {
		return nil
	}
	conditions = slices.Clip(conditions) // what is appended goes elsewhere
	for _, v := range concluded {
		if conditionAt(conditions, v.condition) == nil {
			conditions = append(conditions, map[string]any{"type": v.condition, "status": v.data})
		}
	}
	return conditions
}
