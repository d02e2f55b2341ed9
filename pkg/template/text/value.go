package text

import (
	"encoding/json"
	"fmt"

	"github.com/Masterminds/semver/v3"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Accessor is a value in data that is not plain. Templates may call all of its methods, any number of times, so they must be
// quick. Its text is String; functions get Plain.
type Accessor interface {
	fmt.Stringer
	// Plain is the plain value, nil where there is none.
	Plain() any
}

// size is how large a value is.
type size struct {
	parts, bytes, levels int
	missing              int // the deepest level with a missing value, 0 where there is none
}

// measure draws the steps of reading all of v, and refuses a value that is too large.
func (b *budget) measure(values ...any) (size, error) {
	e := size{}
	for _, v := range values {
		if err := e.add(v, 1); err != nil {
			return e, err
		}
	}
	return e, b.spend(e.parts + e.bytes/bytesPerStep)
}

func (e *size) add(v any, level int) error {
	e.levels = max(e.levels, level)
	if level > maxDepth {
		return errDeep
	}
	switch v := v.(type) {
	case map[string]any:
		for name, part := range v {
			e.bytes += len(name)
			if err := e.add(part, level+1); err != nil {
				return err
			}
		}
	case []any:
		for _, part := range v {
			if err := e.add(part, level+1); err != nil {
				return err
			}
		}
	default:
		if err := e.leaf(v); err != nil {
			return err
		}
		if v == nil {
			e.missing = max(e.missing, level)
		}
	}
	if e.parts++; e.parts > maxParts || e.bytes > maxValue {
		return errLarge
	}
	return nil
}

// leaf adds a value without Accessors.
func (e *size) leaf(v any) error {
	switch v := v.(type) {
	case nil:
	case string:
		e.bytes += len(v)
	case json.Number:
		e.bytes += len(v)
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64:
		e.bytes += 8
	case []string:
		e.parts += len(v)
		for _, s := range v {
			e.bytes += len(s)
		}
	case []int:
		e.parts += len(v)
		e.bytes += 8 * len(v)
	case map[string]string:
		e.parts += len(v)
		for name, s := range v {
			e.bytes += len(name) + len(s)
		}
	case *semver.Version:
		e.bytes += maxVersion
	case Accessor:
		return e.leaf(v.String())
	default:
		return template.Refuse("a value of type %T has no place in a template", v)
	}
	return nil
}

// copyOf is a copy of v, and draws its steps. An Accessor in a list or map becomes plain.
func (b *budget) copyOf(v any) (any, error) {
	if _, err := b.measure(v); err != nil {
		return nil, err
	}
	return copyTree(v), nil
}

func copyTree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		tree := make(map[string]any, len(v))
		for name, part := range v {
			tree[name] = withoutMethods(copyTree(part))
		}
		return tree
	case []any:
		tree := make([]any, len(v))
		for i, part := range v {
			tree[i] = withoutMethods(copyTree(part))
		}
		return tree
	}
	return v
}

// withoutMethods has no address that a template could write.
func withoutMethods(v any) any {
	if version, is := v.(*semver.Version); is {
		return version.String()
	}
	if a, is := v.(Accessor); is {
		return copyTree(a.Plain())
	}
	return v
}
