package reports

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/status/limits"
)

// dataOf is a reported value as plain data, or why it has none.
func (f *feedback) dataOf(fieldValue map[string]any) (data any, why string) {
	switch kind := text(fieldValue, "type"); kind {
	case "Integer":
		return payload[int64](fieldValue["integer"], "Integer")
	case "String":
		return payload[string](fieldValue["string"], "String")
	case "Boolean":
		return payload[bool](fieldValue["boolean"], "Boolean")
	case "JsonRaw":
		return f.parsed(fieldValue["jsonRaw"])
	default:
		return nil, "its type is none of Integer, String, Boolean and JsonRaw"
	}
}

func payload[T any](v any, kind string) (any, string) {
	data, fits := v.(T)
	if !fits {
		return nil, "its type is " + kind + ", but its value is not"
	}
	return data, ""
}

// parsed reads JSON with whole numbers as int64. The error of the reader may quote the value and is left out. The bound is
// for all the JSON of one manifest: it may become the status of one object.
func (f *feedback) parsed(v any) (data any, why string) {
	raw, isText := v.(string)
	switch {
	case f.raw+len(raw) > limits.Bytes:
		return nil, fmt.Sprintf("its type is JsonRaw, but with those before it has more than %d bytes", limits.Bytes)
	case limits.TooDeep(raw):
		return nil, fmt.Sprintf("its type is JsonRaw, but its value is nested deeper than %d levels", limits.Depth)
	case !isText || json.Unmarshal([]byte(raw), &data) != nil:
		return nil, "its type is JsonRaw, but its value is not JSON"
	}
	f.raw += len(raw)
	return data, ""
}
