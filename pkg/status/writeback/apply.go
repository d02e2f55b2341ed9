package writeback

import (
	"maps"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// ObjectOf is the Object that obj, plain data, stands for.
func ObjectOf(id reports.Identity, obj map[string]any) Object {
	status, _ := obj["status"].(map[string]any)
	return Object{ID: id, Labels: labelsOf(obj), Status: status}
}

// labelsOf are the labels of obj. One whose value is no text is there, too.
func labelsOf(obj map[string]any) map[string]string {
	metadata, _ := obj["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	out := make(map[string]string, len(labels))
	for key, value := range labels {
		out[key], _ = value.(string)
	}
	return out
}

// Apply returns obj with the decision carried out. It does not change obj, with which the result shares
// what stays.
func Apply(obj map[string]any, d Decision) map[string]any {
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
