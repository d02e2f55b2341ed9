package krm

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Value returns n as plain Go data, as in JSON: map[string]any, []any, string, bool,
// int64, uint64, float64 or nil. A timestamp or binary of YAML is its text. A number that
// JSON cannot hold (NaN, infinity) is an error.
func Value(n *yaml.Node) (any, error) {
	switch n = Deref(n); n.Kind {
	case yaml.DocumentNode:
		return Value(n.Content[0])
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for key, value := range Fields(n) {
			v, err := Value(value)
			if err != nil {
				return nil, below(key.Value, err)
			}
			m[key.Value] = v
		}
		return m, nil
	case yaml.SequenceNode:
		s := make([]any, len(n.Content))
		for i, e := range n.Content {
			v, err := Value(e)
			if err != nil {
				return nil, below(fmt.Sprintf("[%d]", i), err)
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
			return nil, &valueError{why: n.Value + " is not a number that JSON can hold"}
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

// notA is the error of a tag that does not match the text of n. The text, which may be secret, is not shown.
func notA(n *yaml.Node, what string) error {
	return &valueError{why: fmt.Sprintf("tagged %s but is no %s", n.ShortTag(), what)}
}

// valueError is a value that JSON cannot hold. It has a path and not a line: functions get the object
// with other lines.
type valueError struct{ path, why string }

func (e *valueError) Error() string {
	if e.path == "" {
		return e.why
	}
	return e.path + ": " + e.why
}

// below prepends a step to the path of err.
func below(step string, err error) error {
	e, ok := errors.AsType[*valueError](err)
	if !ok {
		return err
	}
	if e.path != "" && e.path[0] != '[' {
		step += "."
	}
	return &valueError{path: step + e.path, why: e.why}
}

// TooLarge is the path of a whole number beyond all integers, which readers of JSON round; "" when there is none.
func TooLarge(n *yaml.Node) string {
	switch n = Deref(n); n.Kind {
	case yaml.ScalarNode:
		if len(n.Value) > 18 && isTooLarge(n) {
			return "."
		}
	case yaml.SequenceNode:
		for i, child := range n.Content {
			if at := TooLarge(child); at != "" {
				return "[" + strconv.Itoa(i) + "]" + strings.TrimSuffix(at, ".")
			}
		}
	case yaml.MappingNode:
		for key, value := range Fields(n) {
			if at := TooLarge(value); at != "" {
				return "." + key.Value + strings.TrimSuffix(at, ".")
			}
		}
	}
	return ""
}

// isTooLarge reports whether a scalar is a whole number beyond all integers. YAML reads it as a float, unless it
// has a tag.
func isTooLarge(n *yaml.Node) bool {
	digits := strings.ReplaceAll(strings.TrimPrefix(n.Value, "+"), "_", "")
	if strings.Trim(strings.TrimPrefix(digits, "-"), "0123456789") != "" {
		return false
	}
	switch n.ShortTag() {
	case yaml.NodeTagFloat:
		return true
	case yaml.NodeTagInt:
		_, below := strconv.ParseInt(digits, 10, 64)
		_, above := strconv.ParseUint(digits, 10, 64)
		return below != nil && above != nil
	}
	return false
}
