package engine

import (
	"fmt"
	"reflect"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/waybill-dev/waybill/pkg/template"
)

// meter measures values: it draws a step for each part, and for some bytes of text.
type meter struct {
	steps  int
	prints bool // whether text is made of the value: then addresses are refused
	parts  int
	bytes  int
}

// read draws the steps of reading all of some values.
func (b *budget) read(prints bool, values ...any) error {
	_, err := b.measure(prints, values...)
	return err
}

func (b *budget) measure(prints bool, values ...any) (meter, error) {
	m := meter{steps: b.steps, prints: prints}
	for _, v := range values {
		if err := m.add(v, 1); err != nil {
			return m, err
		}
	}
	return m, b.Draw(b.steps - m.steps)
}

func (m *meter) draw(bytes int) error {
	m.parts, m.bytes = m.parts+1, m.bytes+bytes
	if m.steps -= 1 + bytes/bytesPerStep; m.steps < 0 {
		return errSteps
	}
	return nil
}

// add measures v and everything in it.
func (m *meter) add(v any, level int) error {
	if level > maxDepth {
		return errDeep
	}
	switch v := v.(type) {
	case nil, bool, int, int64, float64:
		return m.draw(8)
	case string:
		return m.draw(len(v))
	case []byte:
		return m.draw(len(v))
	case map[string]any:
		for name, part := range v {
			if err := m.draw(len(name)); err != nil {
				return err
			}
			if err := m.add(part, level+1); err != nil {
				return err
			}
		}
		return m.draw(0)
	case []any:
		for _, part := range v {
			if err := m.add(part, level+1); err != nil {
				return err
			}
		}
		return m.draw(0)
	case []int:
		m.parts += len(v)
		return m.draw(bytesPerStep * len(v))
	case []string:
		m.parts += len(v)
		for _, text := range v {
			if err := m.draw(len(text)); err != nil {
				return err
			}
		}
		return m.draw(0)
	case time.Time, *time.Time, time.Duration, *semver.Version, error:
		return m.draw(maxVersion)
	}
	return m.reflect(reflect.ValueOf(v), level)
}

// reflect measures values of other types.
func (m *meter) reflect(v reflect.Value, level int) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return m.pointer(v, level)
	case reflect.Map:
		for key, part := range v.Seq2() {
			if err := m.child(key, level); err != nil {
				return err
			}
			if err := m.child(part, level); err != nil {
				return err
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := m.child(v.Index(i), level); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := m.child(v.Field(i), level); err != nil {
				return err
			}
		}
	case reflect.String:
		return m.draw(v.Len())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return template.Refuse("a value of type %s has no place in a template", v.Type())
	}
	return m.draw(8)
}

// child measures a part. One that is not exported is read by reflection alone.
func (m *meter) child(v reflect.Value, level int) error {
	if v.IsValid() && v.CanInterface() {
		return m.add(v.Interface(), level+1)
	}
	if level >= maxDepth {
		return errDeep
	}
	return m.reflect(v, level+1)
}

// pointer measures what a pointer points to. Within other values, fmt writes its address, which is another one every time.
func (m *meter) pointer(v reflect.Value, level int) error {
	if v.IsNil() {
		return m.draw(8)
	}
	if m.prints && level > 1 && v.Kind() == reflect.Pointer && !hasText(v) {
		return template.Refuse("a value of type %s within another has no text: write its fields one by one", v.Type())
	}
	return m.child(v.Elem(), level)
}

func hasText(v reflect.Value) bool {
	if !v.CanInterface() {
		return false
	}
	_, is := v.Interface().(fmt.Stringer)
	return is
}
