package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// Freeform is a JSON object whose fields are somebody else's. Whole numbers that fit are int64,
// other numbers float64.
type Freeform map[string]any

// UnmarshalJSON implements json.Unmarshaler.
func (f *Freeform) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) { // its own words tell of Go
			return errors.New("want a map of fields")
		}
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("want one map of fields and nothing after it")
	}
	for k, v := range m {
		m[k] = withNumbers(v)
	}
	*f = m
	return nil
}

// withNumbers is v with numbers in place of their text. It changes v.
func withNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return numberOf(v)
	case map[string]any:
		for k, e := range v {
			v[k] = withNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = withNumbers(e)
		}
	}
	return v
}

func numberOf(n json.Number) any {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return i
	}
	f, _ := strconv.ParseFloat(string(n), 64) // out of range it is an infinity
	return f
}
