package krm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Value returns n as plain Go data, the way JSON sees it: map[string]any, []any, string, bool,
// int64, uint64, float64 or nil. What YAML calls a timestamp or binary stays the text it was. A number that
// JSON cannot hold (NaN, infinity) is an error.
func Value(n *yaml.Node) (any, error) {
	switch n = Deref(n); n.Kind {
	case yaml.DocumentNode:
		return Value(n.Content[0])
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := Value(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			m[n.Content[i].Value] = v
		}
		return m, nil
	case yaml.SequenceNode:
		s := make([]any, len(n.Content))
		for i, e := range n.Content {
			v, err := Value(e)
			if err != nil {
				return nil, err
			}
			s[i] = v
		}
		return s, nil
	}
	return scalar(n)
}

func scalar(n *yaml.Node) (any, error) {
	switch n.ShortTag() {
	case yaml.NodeTagNull:
		return nil, nil
	case yaml.NodeTagBool:
		var b bool
		if err := n.Decode(&b); err != nil {
			return nil, notA(n, "boolean")
		}
		return b, nil
	case yaml.NodeTagInt:
		return integer(n)
	case yaml.NodeTagFloat:
		var f float64
		if err := n.Decode(&f); err != nil {
			return nil, notA(n, "number")
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("line %d: %s is not a number that JSON can hold", n.Line, n.Value)
		}
		return f, nil
	}
	return n.Value, nil
}

func integer(n *yaml.Node) (any, error) {
	if i, err := strconv.ParseInt(n.Value, 10, 64); err == nil && strconv.FormatInt(i, 10) == n.Value {
		return i, nil
	}
	var i int64
	if n.Decode(&i) == nil {
		return i, nil
	}
	var u uint64
	if n.Decode(&u) == nil {
		return u, nil
	}
	var f float64
	if n.Decode(&f) != nil || math.IsInf(f, 0) {
		return nil, notA(n, "whole number")
	}
	return f, nil
}

// notA says that n carries a tag its text does not fit. The text may be a secret and stays out.
func notA(n *yaml.Node, what string) error {
	return fmt.Errorf("line %d: tagged %s but is no %s", n.Line, n.ShortTag(), what)
}

// CanonicalJSON is n as JSON with sorted keys, no insignificant space and no HTML escaping.
func CanonicalJSON(n *yaml.Node) ([]byte, error) {
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
