package engine

import (
	"errors"
	"reflect"
)

// memo keeps what functions made in one Render. set and merge change values, so that it is empty after them.
type memo struct {
	included map[call]string
	written  map[identity]encoded
	drawn    int // how often random functions were called
	changes  int // how often values were changed
}

// call is an include with the top level of a file, which charts do again and again for names and labels. The file is "" if the
// result is the same in all files.
type call struct {
	name, file string
	dot        uintptr
	scope      *scope
}

// identity is which map or list a value is.
type identity struct {
	at     uintptr
	length int
}

// encoded is the text of a value. It keeps the value, so that no other one gets its address.
type encoded struct {
	value any
	text  string
}

// maxMemo is how many texts of a kind a memo keeps.
const maxMemo = 1000

func newMemo() memo { return memo{map[call]string{}, map[identity]encoded{}, 0, 0} }

// changed forgets everything, because a value is changed.
func (m *memo) changed() {
	m.changes++
	clear(m.included)
	clear(m.written)
}

// include is the text of another template.
func (r *run) include(name string, data any) (string, error) {
	key, again := r.callOf(name, data)
	if text, known := r.included[key]; known && again {
		return text, r.text(len(text))
	}
	drawn, changes := r.drawn, r.changes
	text, err := r.includeAnew(name, data)
	if err == nil && again && r.drawn == drawn && r.changes == changes && len(r.included) < maxMemo {
		r.included[key] = text
	}
	return text, err
}

// callOf is the key of an include; it is false for one with other data than the top level.
func (r *run) callOf(name string, data any) (call, bool) {
	dict, is := data.(map[string]any)
	at := reflect.ValueOf(dict).Pointer()
	if !is || at != r.dot {
		return call{}, false
	}
	key := call{name, r.current, at, r.scope}
	if r.t.steady[name] && r.scope == r.root {
		key.file = ""
	}
	return key, true
}

// toYAML is toYAML of a value that was not written before.
func (r *run) toYAML(v any) (string, error) {
	key, again := identityOf(v)
	if known, is := r.written[key]; is && again {
		return known.text, r.text(len(known.text))
	}
	if err := encodes(4)(r, []any{v}); err != nil {
		return "", err
	}
	text, err := toYAML(v)
	if err != nil {
		return "", &encodingError{err}
	}
	if again && len(r.written) < maxMemo {
		r.written[key] = encoded{v, text}
	}
	return text, r.text(len(text))
}

// identityOf is the identity of a map or list of plain values; it is false for others.
func identityOf(v any) (identity, bool) {
	switch v := v.(type) {
	case map[string]any:
		return identity{reflect.ValueOf(v).Pointer(), -1}, len(v) > 0
	case []any:
		return identity{reflect.ValueOf(v).Pointer(), len(v)}, len(v) > 0
	}
	return identity{}, false
}

// encodingError is a value that cannot be written.
type encodingError struct{ error }

// toYAMLOrEmpty is toYAML, "" for a value that cannot be written.
func (r *run) toYAMLOrEmpty(v any) (string, error) {
	text, err := r.toYAML(v)
	if _, is := errors.AsType[*encodingError](err); is {
		return "", nil
	}
	return text, err
}
