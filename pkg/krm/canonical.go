package krm

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// CanonicalJSON is n as JSON with sorted keys, no insignificant space and no HTML escaping.
func CanonicalJSON(n *yaml.Node) ([]byte, error) {
	if out, ok := appendPlainJSON(nil, n); ok {
		return out, nil
	}
	return canonicalByLibrary(n)
}

func canonicalByLibrary(n *yaml.Node) ([]byte, error) {
	v, err := Value(n)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// appendPlainJSON appends n as CanonicalJSON gives it. ok is false for what needs the library: texts with characters that JSON
// escapes, fractions, numbers in other forms, and what is no JSON.
func appendPlainJSON(dst []byte, n *yaml.Node) (out []byte, ok bool) {
	switch n = Deref(n); n.Kind {
	case yaml.MappingNode:
		return appendPlainMap(dst, n)
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, e := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, ok = appendPlainJSON(dst, e); !ok {
				return nil, false
			}
		}
		return append(dst, ']'), true
	case yaml.ScalarNode:
		return appendPlainScalar(dst, n)
	}
	return nil, false
}

func appendPlainMap(dst []byte, m *yaml.Node) (out []byte, ok bool) {
	order := make([]int, 0, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(m.Content[a].Value, m.Content[b].Value) })
	dst = append(dst, '{')
	for i, at := range order {
		key := m.Content[at].Value
		if i > 0 {
			if key == m.Content[order[i-1]].Value {
				return nil, false
			}
			dst = append(dst, ',')
		}
		if dst, ok = appendPlainText(dst, key); !ok {
			return nil, false
		}
		if dst, ok = appendPlainJSON(append(dst, ':'), m.Content[at+1]); !ok {
			return nil, false
		}
	}
	return append(dst, '}'), true
}

func appendPlainScalar(dst []byte, n *yaml.Node) (out []byte, ok bool) {
	switch n.ShortTag() {
	case yaml.NodeTagNull:
		return append(dst, "null"...), true
	case yaml.NodeTagBool:
		return append(dst, n.Value...), n.Value == "true" || n.Value == "false"
	case yaml.NodeTagInt:
		i, err := strconv.ParseInt(n.Value, 10, 64)
		return append(dst, n.Value...), err == nil && strconv.FormatInt(i, 10) == n.Value
	case yaml.NodeTagString:
		return appendPlainText(dst, n.Value)
	}
	return nil, false
}

func appendPlainText(dst []byte, s string) ([]byte, bool) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return nil, false
		}
	}
	dst = append(dst, '"')
	return append(append(dst, s...), '"'), true
}
