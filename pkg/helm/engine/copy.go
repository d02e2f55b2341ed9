package engine

import (
	"maps"
	"reflect"
)

// copier copies values for one Render, since set and merge change them. A map that occurs in several places stays one map, so that a
// change shows in all of them, as in Helm.
type copier struct{ maps map[uintptr]reflect.Value }

func newCopier() *copier { return &copier{map[uintptr]reflect.Value{}} }

// dot copies the top level and what is below it.
func (c *copier) dot(values map[string]any) map[string]any {
	if values == nil {
		return map[string]any{}
	}
	return c.copy(values).(map[string]any)
}

func (c *copier) copy(v any) any {
	switch v := v.(type) {
	case nil, string, bool, int, int64, float64:
		return v
	case map[string]any:
		return c.mapOf(v)
	case []any:
		if v == nil {
			return v
		}
		list := make([]any, len(v))
		for i, part := range v {
			list[i] = c.copy(part)
		}
		return list
	case Files:
		return maps.Clone(v)
	}
	return c.reflect(reflect.ValueOf(v))
}

func (c *copier) mapOf(v map[string]any) any {
	key := reflect.ValueOf(v).Pointer()
	if known, ok := c.maps[key]; ok || v == nil {
		if v == nil {
			return v
		}
		return known.Interface()
	}
	made := make(map[string]any, len(v))
	c.maps[key] = reflect.ValueOf(made)
	for name, part := range v {
		made[name] = c.copy(part)
	}
	return made
}

// reflect copies maps and lists of other types. Other values have nothing that a function changes.
func (c *copier) reflect(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Map && !v.IsNil():
		if known, ok := c.maps[v.Pointer()]; ok && known.Type() == v.Type() {
			return known.Interface()
		}
		made := reflect.MakeMapWithSize(v.Type(), v.Len())
		c.maps[v.Pointer()] = made
		for key, part := range v.Seq2() {
			made.SetMapIndex(key, c.part(part))
		}
		return made.Interface()
	case v.Kind() == reflect.Slice && !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8:
		made := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			made.Index(i).Set(c.part(v.Index(i)))
		}
		return made.Interface()
	}
	return v.Interface()
}

func (c *copier) part(v reflect.Value) reflect.Value {
	made := reflect.New(v.Type()).Elem()
	if copied := reflect.ValueOf(c.copy(v.Interface())); copied.IsValid() {
		made.Set(copied)
	}
	return made
}
