package engine

import (
	"math"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

// toYAML is what Helm's toYaml writes: the JSON of a value, read as YAML, written as YAML. Plain values need not go through JSON,
// which is most of the work.
func toYAML(v any) (string, error) {
	var text []byte
	var err error
	if plain, is := plainYAML(v, 0); is {
		text, err = yamlv2.Marshal(plain)
	} else {
		text, err = yaml.Marshal(v)
	}
	return strings.TrimSuffix(string(text), "\n"), err
}

// plainYAML is a value as it comes out of JSON. It is false for all that JSON may change: rare numbers and characters, and
// types other than those of YAML.
func plainYAML(v any, level int) (any, bool) {
	switch v := v.(type) {
	case nil, bool, int, int64:
		return v, true
	case string:
		return v, isPlain(v)
	case float64:
		return plainNumber(v)
	case []any:
		return plainList(v, level)
	case map[string]any:
		return plainDict(v, level)
	}
	return nil, false
}

func plainNumber(v float64) (any, bool) {
	const exact = 1 << 53
	switch {
	case math.IsNaN(v) || math.Abs(v) >= exact:
		return nil, false
	case v == math.Trunc(v):
		return int64(v), true
	}
	return v, true
}

func plainList(v []any, level int) (any, bool) {
	if v == nil || level > maxDepth {
		return nil, false
	}
	list := make([]any, len(v))
	for i, part := range v {
		var is bool
		if list[i], is = plainYAML(part, level+1); !is {
			return nil, false
		}
	}
	return list, true
}

// maxPlainKey is the longest key that the parser of YAML takes, in any case; "<<" is not a key like others.
const maxPlainKey = 160

func plainDict(v map[string]any, level int) (any, bool) {
	if v == nil || level > maxDepth {
		return nil, false
	}
	dict := make(map[string]any, len(v))
	for name, part := range v {
		made, is := plainYAML(part, level+1)
		if !is || len(name) > maxPlainKey || name == "<<" || !isPlain(name) {
			return nil, false
		}
		dict[name] = made
	}
	return dict, true
}

// isPlain reports whether a text is of printable ASCII, tabs and line feeds.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}
