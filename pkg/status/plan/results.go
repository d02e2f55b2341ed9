package plan

import (
	"encoding/json"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// mergeResults returns the desired results as plain data, and whether an API server stores the same already. It takes the rows that
// stay from have, so that one row of 10,000 costs little more than itself. Neither have nor want is changed.
func mergeResults(have any, want []control.NamedStatusCombination) (out []any, same bool, err error) {
	stored, _ := have.([]any)
	same = len(stored) == len(want)
	for i := range want {
		var before map[string]any
		if i < len(stored) {
			before, _ = stored[i].(map[string]any)
		}
		result, is, err := mergeResult(before, want[i])
		if err != nil {
			return nil, false, err
		}
		out, same = append(out, result), same && is
	}
	return out, same, nil
}

// mergeResult is mergeResults of one collector.
func mergeResult(have map[string]any, want control.NamedStatusCombination) (result map[string]any, same bool, err error) {
	stored, _ := have["rows"].([]any)
	rows, same, err := mergeRows(stored, want.Rows)
	if err != nil {
		return nil, false, err
	}
	want.Rows = nil
	if err := convert(want, &result); err != nil {
		return nil, false, err
	}
	rest := make(map[string]any, len(have))
	for key, field := range have {
		if key != "rows" {
			rest[key] = field
		}
	}
	same = same && equal(rest, result)
	if len(rows) > 0 {
		result["rows"] = rows
	}
	return result, same, nil
}

// mergeRows is mergeResults of rows. Those at the beginning and at the end that are alike are taken from have.
func mergeRows(have []any, want []control.StatusCombinationRow) (out []any, same bool, err error) {
	first, most := 0, min(len(have), len(want))
	for first < most && isRow(have[first], want[first]) {
		first++
	}
	last := 0
	for last < most-first && isRow(have[len(have)-1-last], want[len(want)-1-last]) {
		last++
	}
	var changed []any
	if middle := want[first : len(want)-last]; len(middle) > 0 {
		if err := convert(middle, &changed); err != nil {
			return nil, false, err
		}
	}
	return slices.Concat(have[:first], changed, have[len(have)-last:]), first == len(have) && first == len(want), nil
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
