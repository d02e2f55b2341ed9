package plain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// ReadJSON reads one JSON object within bounds. Strict refuses a duplicate name; otherwise its last value counts.
func ReadJSON(data []byte, strict bool) (map[string]any, error) {
	if len(data) > MaxBytes {
		return nil, errLong
	}
	r := &jsonReader{dec: json.NewDecoder(bytes.NewReader(data)), left: MaxParts, strict: strict}
	r.dec.UseNumber()
	v, err := r.value(MaxDepth)
	if err != nil {
		return nil, jsonError(err)
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, errors.New("data follows its end")
	}
	object, is := v.(map[string]any)
	if !is {
		return nil, errors.New("it is not a JSON object")
	}
	return object, nil
}

// jsonError rewords an error of the JSON library. It quotes at most one character.
func jsonError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// jsonReader reads JSON as plain data.
type jsonReader struct {
	dec    *json.Decoder
	left   int
	strict bool
}

func (r *jsonReader) value(depth int) (any, error) {
	if r.left--; r.left < 0 {
		return nil, errManyParts
	}
	if depth == 0 {
		return nil, errDeep
	}
	token, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		return r.list(depth)
	case json.Delim('{'):
		return r.object(depth)
	}
	return token, nil
}

func (r *jsonReader) list(depth int) (any, error) {
	list := []any{}
	for r.dec.More() {
		v, err := r.value(depth - 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := r.dec.Token()
	return list, err
}

func (r *jsonReader) object(depth int) (any, error) {
	m := map[string]any{}
	for r.dec.More() {
		name, err := r.dec.Token()
		if err != nil {
			return nil, err
		}
		v, err := r.value(depth - 1)
		if err != nil {
			return nil, err
		}
		if _, twice := m[name.(string)]; twice && r.strict {
			return nil, fmt.Errorf("it has the field %q twice", safetext.Cut(name.(string), 100, "..."))
		}
		m[name.(string)] = v
	}
	_, err := r.dec.Token()
	return m, err
}

// What one JSON text may hold: so many parts, so deep, so many bytes.
const (
	MaxParts = 1_000_000
	MaxDepth = 100
	MaxBytes = 64 << 20
)

var (
	errManyParts = fmt.Errorf("it has more than %d parts", MaxParts)
	errDeep      = fmt.Errorf("it nests more than %d levels", MaxDepth)
	errLong      = fmt.Errorf("it is longer than %d bytes", MaxBytes)
)
