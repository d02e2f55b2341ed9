package cel

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// large reports whether a value has parts. One without parts was paid for when it was made.
func large(v ref.Val) bool {
	switch v.(type) {
	case types.String, types.Int, types.Bool, types.Double, types.Null:
		return false
	case traits.Mapper, traits.Lister, *types.Optional:
		return true
	}
	return false
}

// length is how many bytes a text has; 0 for other values.
func length(v ref.Val) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	}
	return 0
}

// items is the length of a list; 0 for other values.
func items(v ref.Val) int {
	if list, is := v.(traits.Lister); is {
		return int(list.Size().(types.Int))
	}
	return 0
}

// weighTo counts the parts of a value, a part as often as it occurs and a long text as several. It stops
// soon after most.
func weighTo(v ref.Val, most int) int {
	switch v := v.(type) {
	case types.String, types.Bytes:
		return 1 + length(v)/perUnit
	case traits.Mapper:
		if data, is := v.Value().(map[string]any); is {
			return weighData(data, most)
		}
		return weighMap(v, most)
	case traits.Lister:
		if data, is := v.Value().([]any); is {
			return weighData(data, most)
		}
		return weighList(v, most)
	case *types.Optional:
		if v.HasValue() {
			return 1 + weighTo(v.GetValue(), most-1)
		}
	}
	return 1
}

func weighMap(m traits.Mapper, most int) int {
	weight := 1
	for keys := m.Iterator(); keys.HasNext() == types.True && weight <= most; {
		key := keys.Next()
		weight += weighTo(key, most-weight)
		if value, found := m.Find(key); found {
			weight += weighTo(value, most-weight)
		}
	}
	return weight
}

func weighList(l traits.Lister, most int) int {
	weight := 1
	for i := 0; i < items(l) && weight <= most; i++ {
		weight += weighTo(l.Get(types.Int(i)), most-weight)
	}
	return weight
}

// weighData is weighTo for plain data.
func weighData(data any, most int) int {
	weight := 1
	switch v := data.(type) {
	case string:
		return 1 + len(v)/perUnit
	case map[string]any:
		for key, value := range v {
			if weight > most {
				break
			}
			weight += 1 + len(key)/perUnit + weighData(value, most-weight)
		}
	case []any:
		for i := 0; i < len(v) && weight <= most; i++ {
			weight += weighData(v[i], most-weight)
		}
	case nil, bool, int64, float64:
	default:
		return weighTo(adapter{}.NativeToValue(v), most)
	}
	return weight
}
