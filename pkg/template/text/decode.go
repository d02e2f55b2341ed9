package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Decode reads one JSON document as plain data: nil, bool, string, []any, map[string]any, and for numbers int64, or uint64
// for larger ones, or json.Number, which is text, for whole numbers that are larger still; other numbers are float64, or
// json.Number when they are too large for that. Errors do not quote the document.
func Decode(doc []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, errors.New("it is not JSON")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("there is text after the end of the JSON")
	}
	return withNumbers(v, maxDepth)
}

// withNumbers puts numbers in place of their texts.
func withNumbers(v any, levels int) (_ any, err error) {
	if levels == 0 {
		return nil, errDeep
	}
	switch v := v.(type) {
	case json.Number:
		return number(string(v)), nil
	case map[string]any:
		for name, part := range v {
			if v[name], err = withNumbers(part, levels-1); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, part := range v {
			if v[i], err = withNumbers(part, levels-1); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func number(text string) any {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return u
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".eE") {
		return f
	}
	return json.Number(text)
}
