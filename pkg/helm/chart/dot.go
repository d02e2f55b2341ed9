package chart

import (
	"encoding/base64"
	"errors"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/gobwas/glob"
	"sigs.k8s.io/yaml"
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

// files is what templates see as .Files: the files of a chart that are no templates.
type files map[string][]byte

// GetBytes is a file; empty if there is none.
func (f files) GetBytes(name string) []byte {
	if data := f[name]; data != nil {
		return data
	}
	return []byte{}
}

// Get is a file as text.
func (f files) Get(name string) string { return string(f[name]) }

// longestPattern is the length of the longest pattern of Glob.
const longestPattern = 1000

// Glob are the files whose names match a pattern. As with Helm, a broken one matches all.
func (f files) Glob(pattern string) (files, error) {
	if len(pattern) > longestPattern || strings.Count(pattern, "*") > 20 || strings.Count(pattern, "{") > 20 {
		return nil, errors.New("the pattern is too long for .Files.Glob")
	}
	matched := files{}
	g, err := glob.Compile(pattern, '/')
	for name, data := range f {
		if err != nil || g.Match(name) {
			matched[name] = data
		}
	}
	return matched, nil
}

// AsConfig is the data of a ConfigMap with the files, by the last parts of their names.
func (f files) AsConfig() string {
	return f.text(func(data []byte) string { return string(data) })
}

// AsSecrets is the data of a Secret with the files.
func (f files) AsSecrets() string { return f.text(base64.StdEncoding.EncodeToString) }

func (f files) text(encode func([]byte) string) string {
	if f == nil {
		return ""
	}
	m := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(f)) { // with Helm, chance decides between files of the same name
		m[path.Base(name)] = encode(f[name])
	}
	out, err := yaml.Marshal(m)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(out), "\n")
}

// Lines are the lines of a file.
func (f files) Lines(name string) []string {
	if len(f[name]) == 0 {
		return []string{}
	}
	return strings.Split(strings.TrimSuffix(string(f[name]), "\n"), "\n")
}
