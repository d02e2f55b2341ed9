package writeback

import "maps"

// apply returns obj with the decision executed. It does not change obj, with which the result shares
// what stays.
func apply(obj map[string]any, d Decision) map[string]any {
	if !d.Changed {
		return obj
	}
	out := own(obj)
	out["status"] = d.Status
	metadata := own(obj["metadata"])
	labels := own(metadata["labels"])
	for _, label := range d.Drop {
		delete(labels, label)
	}
	if d.Label != "" {
		labels[d.Label] = LabelValue
	}
	if metadata["labels"] = labels; len(labels) == 0 {
		delete(metadata, "labels")
	}
	out["metadata"] = metadata
	return out
}

// own is a copy of a map, without what is below it; an empty map when m is none.
func own(m any) map[string]any {
	if m, isMap := m.(map[string]any); isMap && m != nil {
		return maps.Clone(m)
	}
	return map[string]any{}
}
