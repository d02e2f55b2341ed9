package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readJSON reads one JSON object within bounds. Strict refuses a name that is there twice; else the last
// one counts.
func readJSON(data []byte, strict bool) (map[string]any, error) {
	if len(data) > MaxAnswerBytes {
		return nil, errLong
	}
	r := &jsonReader{dec: json.NewDecoder(bytes.NewReader(data)), left: MaxAnswerParts, strict: strict}
	r.dec.UseNumber()
	v, err := r.value(MaxAnswerDepth)
	if err != nil {
		return nil, jsonError(err)
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, errors.New("there is something behind its end")
	}
	object, is := v.(map[string]any)
	if !is {
		return nil, errors.New("it is no JSON object")
	}
	return object, nil
}

// jsonError are words for an error of the JSON library. It quotes no more than a character.
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
			return nil, fmt.Errorf("it has the field %q twice", truncate(name.(string), 100))
		}
		m[name.(string)] = v
	}
	_, err := r.dec.Token()
	return m, err
}
