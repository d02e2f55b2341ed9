package writeback

import (
	"encoding/json"
	"slices"
)

// same reports whether two values are equal in JSON, where 1.0 is 1 and -0 is 0: a float without a fraction is read again as
// a whole number.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		m, isMap := b.(map[string]any)
		return isMap && (a == nil) == (m == nil) && sameFields(a, m)
	case []any:
		l, isList := b.([]any)
		return isList && slices.EqualFunc(a, l, same)
	case string, bool, nil:
		return a == b
	}
	x, y := numberText(a), numberText(b)
	return x != "" && x == y
}

func sameFields(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for key, v := range a {
		if w, there := b[key]; !there || !same(v, w) {
			return false
		}
	}
	return true
}

// numberText is a number as JSON; "" for any other value.
func numberText(v any) string {
	switch v.(type) {
	case int64, uint64, float64, int:
	default:
		return ""
	}
	text, err := json.Marshal(v)
	switch {
	case err != nil:
		return ""
	case string(text) == "-0":
		return "0"
	}
	return string(text)
}
