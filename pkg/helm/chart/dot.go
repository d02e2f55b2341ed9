package chart

import (
	"path"
	"reflect"
)

// dot is what the templates of the chart see as ".". It registers that for all templates, also of the charts in it, by their names.
func (n *node) dot(values map[string]any, release map[string]any, caps *Capabilities, all map[string]map[string]any) map[string]any {
	about, _ := asMap(reflect.ValueOf(n.meta)).(map[string]any)
	about["IsRoot"] = n.parent == nil
	subcharts := map[string]any{}
	dot := map[string]any{"Chart": about, "Files": n.files, "Release": release, "Capabilities": caps, "Values": values, "Subcharts": subcharts}
	for _, dep := range n.deps {
		below, ok := values[dep.name].(map[string]any)
		if !ok {
			below = map[string]any{}
		}
		subcharts[dep.name] = dep.dot(below, release, caps, all)
	}
	for _, f := range n.templates {
		all[path.Join(n.path(), f.Name)] = dot
	}
	return dot
}

// asMap is a struct as a map of the names of its fields; lists and pointers of structs likewise.
func asMap(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return asMap(v.Elem())
	case reflect.Struct:
		m := make(map[string]any, v.NumField())
		for field, value := range v.Fields() {
			m[field.Name] = asMap(value)
		}
		return m
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = asMap(v.Index(i))
		}
		return list
	}
	return v.Interface()
}
