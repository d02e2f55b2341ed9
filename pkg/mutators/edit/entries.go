package edit

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Texts is entries as a map.
func Texts(entries []Entry) map[string]string {
	out := make(map[string]string, len(entries))
	for _, e := range entries {
		out[e.Key] = e.Value
	}
	return out
}

// SplitList is a list in the text of an option: items between commas, without the empty ones.
func SplitList(text string) (items []string) {
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// OptionAt is the path of an option in config: under data in a ConfigMap, else beside metadata.
func OptionAt(config *krm.Object, option string) *field.Path {
	if fn.IsConfigMap(config) {
		return field.NewPath("data").Child(option)
	}
	return field.NewPath(option)
}

// EntriesAt is the path of a map in config: the data of a ConfigMap, else a field.
func EntriesAt(config *krm.Object, name string) *field.Path {
	if fn.IsConfigMap(config) {
		return field.NewPath("data")
	}
	return field.NewPath(name)
}

// CheckKeys reports the faults of a map of labels or annotations to set: an empty map, an empty key, a key of the
// orchestrator.
func CheckKeys(entries map[string]string, at *field.Path) (errs field.ErrorList) {
	if len(entries) == 0 {
		return field.ErrorList{field.Required(at, "name at least one to set")}
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		switch {
		case key == "":
			errs = append(errs, field.Invalid(at, key, "has a key without a name"))
		case krm.BelongsToPackage(key) || strings.HasPrefix(key, fn.ReservedPrefix):
			errs = append(errs, field.Forbidden(at.Key(key), "belongs to the orchestrator, which runs the functions of a package"))
		}
	}
	return errs
}
