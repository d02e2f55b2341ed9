package status

import (
	"fmt"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// number is a value to aggregate.
type number struct {
	value float64
	// skipped says why the value is not a number; "" when it is one.
	skipped string
}

// maxQuoted bounds what an error quotes of a text that is no number.
const maxQuoted = 1 << 10

// numberOf accepts numbers and their texts.
func numberOf(v ref.Val) number {
	switch v := v.(type) {
	case types.Int:
		return number{value: float64(v)}
	case types.Uint:
		return number{value: float64(v)}
	case types.Double:
		return number{value: float64(v)}
	}
	switch v := v.Value().(type) {
	case string:
		return parsedNumber(v)
	default:
		return number{skipped: fmt.Sprintf("combinedField subject has unexpected type %T", v)}
	}
}

func parsedNumber(text string) number {
	f, err := strconv.ParseFloat(text, 64)
	if err == nil {
		return number{value: f}
	}
	if len(text) > maxQuoted {
		return number{skipped: fmt.Sprintf("failed to parse combinedField subject as a float: a text of %d bytes is not a number", len(text))}
	}
	return number{skipped: "failed to parse combinedField subject as a float: " + err.Error()}
}
