package reports

import "slices"

// joinConditions is the list of conditions of a status: those that the object has itself, those that
// values conclude, and those that the work has for its manifest; each type once, the first wins. It is
// nil when there is nothing to join or what the object has is no list.
func joinConditions(own any, concluded []value, manifest []any) (conditions []any) {
	conditions, isList := own.([]any)
	if own != nil && !isList || len(concluded)+len(manifest) == 0 {
		return nil
	}
	conditions = slices.Clip(conditions) // what is appended goes elsewhere
	known := map[string]bool{}
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		known[text(condition, "type")] = true
	}
	join := func(condition map[string]any) {
		if kind := text(condition, "type"); kind != "" && !known[kind] {
			known[kind] = true
			conditions = append(conditions, condition)
		}
	}
	for _, v := range concluded {
		join(map[string]any{"type": v.condition, "status": v.data})
	}
	for _, c := range manifest {
		condition, _ := c.(map[string]any)
		join(condition)
	}
	return conditions
}
