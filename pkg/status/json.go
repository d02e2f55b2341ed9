package status

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/waybill-dev/waybill/pkg/status/limits"
)

// The bounds of one value in a result.
const (
	maxValue = limits.Bytes
	maxDepth = limits.Depth
)

var (
	errNotJSON  = errors.New("the value has no JSON form")
	errTooLarge = fmt.Errorf("the value has more than %d bytes", maxValue)
	errTooDeep  = fmt.Errorf("the value is nested deeper than %d levels", maxDepth)
)

// appendJSON appends a CEL value as JSON, keys in order, with at most so many levels. A map that an expression makes has no
// JSON form: its keys may be anything.
func appendJSON(out []byte, v ref.Val, levels int) ([]byte, error) {
	if len(out) > maxValue {
		return nil, errTooLarge
	}
	switch v := v.(type) {
	case types.Timestamp:
		text, err := v.Time.MarshalJSON()
		if err != nil {
			return nil, errNotJSON
		}
		return append(out, text...), nil
	case types.Duration:
		return strconv.AppendInt(out, int64(v.Duration), 10), nil
	case types.Bytes:
		return appendText(out, base64.StdEncoding.EncodeToString(v)), nil
	case *types.Type:
		return appendText(out, v.TypeName()), nil
	case types.Null:
		return append(out, "null"...), nil
	case traits.Lister:
		return appendParts(out, v, levels)
	}
	return appendData(out, v.Value(), levels)
}

func appendParts(out []byte, l traits.Lister, levels int) ([]byte, error) {
	size, _ := l.Size().(types.Int)
	return appendElements(out, "[]", int(size), levels, func(out []byte, i int) ([]byte, error) {
		return appendJSON(out, l.Get(types.Int(i)), levels-1)
	})
}

// appendElements appends a list or a map.
func appendElements(
	out []byte, brackets string, size, levels int, appendOne func(out []byte, i int) ([]byte, error),
) (_ []byte, err error) {
	if levels == 0 {
		return nil, errTooDeep
	}
	out = append(out, brackets[0])
	for i := range size {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendOne(out, i); err != nil {
			return nil, err
		}
	}
	return append(out, brackets[1]), nil
}

// appendData appends plain data as JSON. A nil map is null.
func appendData(out []byte, data any, levels int) ([]byte, error) {
	if len(out) > maxValue {
		return nil, errTooLarge
	}
	switch v := data.(type) {
	case map[string]any:
		if v == nil {
			return append(out, "null"...), nil
		}
		return appendMap(out, v, levels)
	case map[string]string:
		return appendMap(out, v, levels)
	case []any:
		return appendElements(out, "[]", len(v), levels, func(out []byte, i int) ([]byte, error) { return appendData(out, v[i], levels-1) })
	case string:
		return appendText(out, v), nil
	case time.Time:
		return appendJSON(out, types.Timestamp{Time: v}, levels)
	case ref.Val:
		return appendJSON(out, v, levels)
	case nil, bool, json.Number, float64, float32, int, int32, int64, uint, uint32, uint64:
		return appendScalar(out, v)
	}
	return nil, errNotJSON
}

func appendMap[T any](out []byte, m map[string]T, levels int) ([]byte, error) {
	keys := slices.Sorted(maps.Keys(m))
	return appendElements(out, "{}", len(keys), levels, func(out []byte, i int) ([]byte, error) {
		return appendData(append(appendText(out, keys[i]), ':'), m[keys[i]], levels-1)
	})
}

func appendScalar(out []byte, v any) ([]byte, error) {
	if f, is := v.(float64); is && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return nil, errNotJSON
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, errNotJSON
	}
	return append(out, text...), nil
}

// appendText does not escape < and >.
func appendText(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return appendOddText(out, s)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

func appendOddText(out []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // a string always encodes
		return append(out, `""`...)
	}
	return append(out, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}
