package plan

import (
	"encoding/json"
	"maps"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// sameResults reports whether an API server that stores have has the desired results.
func sameResults(have any, want []control.NamedStatusCombination) (bool, error) {
	stored, _ := have.([]any)
	if len(stored) != len(want) {
		return false, nil
	}
	for i := range want {
		if same, err := sameResult(stored[i], want[i]); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// sameResult is sameResults of one collector.
func sameResult(stored any, want control.NamedStatusCombination) (bool, error) {
	have, _ := stored.(map[string]any)
	if rows, _ := have["rows"].([]any); !slices.EqualFunc(rows, want.Rows, isRow) {
		return false, nil
	}
	want.Rows = nil
	var rest map[string]any
	if err := convert(want, &rest); err != nil {
		return false, err
	}
	have = maps.Clone(have)
	delete(have, "rows")
	return equal(have, rest), nil
}

// isRow reports whether a stored row is the desired one.
func isRow(stored any, want control.StatusCombinationRow) bool {
	row, _ := stored.(map[string]any)
	columns, is := row["columns"].([]any)
	if !is || len(columns) != len(want.Columns) || !hasOnly(row, 1) {
		return false
	}
	for i := range columns {
		if value, is := columns[i].(map[string]any); !is || !isValue(value, &want.Columns[i]) {
			return false
		}
	}
	return true
}

// isValue reports whether a stored value is the desired one.
func isValue(stored map[string]any, want *control.Value) bool {
	fields, same := 1, stored["type"] == string(want.Type)
	if want.String != nil {
		fields, same = fields+1, same && stored["string"] == *want.String
	}
	if want.Number != nil {
		fields, same = fields+1, same && stored["float"] == *want.Number
	}
	if want.Bool != nil {
		fields, same = fields+1, same && stored["bool"] == *want.Bool
	}
	if isSet(want.Object) {
		fields, same = fields+1, same && isJSON(stored["object"], want.Object)
	}
	if isSet(want.Array) {
		fields, same = fields+1, same && isJSON(stored["array"], want.Array)
	}
	return same && hasOnly(stored, fields)
}

// isSet reports whether an API server stores a value: it stores no null.
func isSet(value control.JSON) bool { return !value.IsZero() && string(value.Raw) != "null" }

func isJSON(stored any, want control.JSON) bool {
	var value any
	return utiljson.Unmarshal(want.Raw, &value) == nil && equal(stored, value)
}

// hasOnly reports whether a map has n fields that are not null.
func hasOnly(fields map[string]any, n int) bool {
	for _, value := range fields {
		if value != nil {
			n--
		}
	}
	return n == 0
}

// convert converts by JSON, so that numbers have the types of objects from an API server.
func convert(from, into any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(text, into)
}
