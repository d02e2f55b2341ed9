// Package plain converts between YAML nodes, JSON and plain data: maps, lists, texts, numbers, booleans and nil.
//
// Shape: FromNode and ReadJSON give plain data, ToNode makes an object's node of it.
// Cost: linear in the data; ReadJSON refuses what exceeds MaxParts, MaxDepth or MaxBytes.
// Errors: what has no exact form, in words that quote no value.
package plain

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// leadingFields are the fields that objects and their metadata begin with, for readability.
var leadingFields = [][]string{{"apiVersion", "kind", "metadata"}, {"name", "namespace", "labels", "annotations"}}

const notFirst = 2

// ToNode makes an object's node of plain data.
func ToNode(v any) (*yaml.Node, error) { return nodeOf(v, 0) }

// nodeOf makes a node of plain data. level says which fields come first: 0 for an object, 1 for its metadata.
func nodeOf(v any, level int) (*yaml.Node, error) {
	switch v := v.(type) {
	case map[string]any:
		return mapNode(v, level)
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
		for _, part := range v {
			child, err := nodeOf(part, notFirst)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
		return flowIfEmpty(n), nil
	case string:
		return krm.StringNode(v), nil
	case nil:
		return Scalar(yaml.NodeTagNull, "null"), nil
	case bool:
		return Bool(v), nil
	}
	return numberNode(v)
}

func mapNode(m map[string]any, level int) (*yaml.Node, error) {
	n := krm.MapNode()
	for _, name := range inOrder(m, level) {
		below := notFirst
		if level == 0 && name == "metadata" {
			below = 1
		}
		child, err := nodeOf(m[name], below)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, krm.StringNode(name), child)
	}
	return flowIfEmpty(n), nil
}

// inOrder are the names of m, sorted, with leadingFields first.
func inOrder(m map[string]any, level int) []string {
	names := slices.Sorted(maps.Keys(m))
	if level >= len(leadingFields) {
		return names
	}
	rank := func(name string) int {
		if i := slices.Index(leadingFields[level], name); i >= 0 {
			return i
		}
		return len(leadingFields[level])
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

// flowIfEmpty writes an empty node in flow style: YAML has no other way.
func flowIfEmpty(n *yaml.Node) *yaml.Node {
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n
}

// Scalar is a scalar node.
func Scalar(tag, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
}

// Bool is a node of true or false.
func Bool(b bool) *yaml.Node { return Scalar(yaml.NodeTagBool, strconv.FormatBool(b)) }

// numberNode writes whole numbers as integers, and others as JSON does.
func numberNode(v any) (*yaml.Node, error) {
	switch v := v.(type) {
	case int64:
		return Scalar(yaml.NodeTagInt, strconv.FormatInt(v, 10)), nil
	case uint64:
		return Scalar(yaml.NodeTagInt, strconv.FormatUint(v, 10)), nil
	case json.Number:
		return jsonNumber(string(v))
	case float64:
		text, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("the number %v has no JSON form", v)
		}
		return jsonNumber(string(text))
	}
	return nil, fmt.Errorf("a %T has no JSON form", v)
}

// jsonNumber is a number in its JSON spelling, tagged as a number where YAML would read another type.
func jsonNumber(text string) (*yaml.Node, error) {
	n := Scalar("", text)
	n.Tag = n.ShortTag()
	if n.Tag != yaml.NodeTagInt && n.Tag != yaml.NodeTagFloat {
		n.Tag = yaml.NodeTagFloat
	}
	if f, err := strconv.ParseFloat(text, 64); err != nil || math.IsInf(f, 0) {
		return nil, errors.New("it has a number that is too large")
	}
	return n, nil
}

// Number converts a number of plain data.
func Number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

// FromNode converts a node to plain data whose whole numbers are exact: a number that is too large for any integer is an
// error, where krm.Value would convert it to a double.
func FromNode(n *yaml.Node) (any, error) {
	if at := krm.TooLarge(n); at != "" {
		return nil, fmt.Errorf("%s: a whole number is too large to be exact; make it a string", strings.TrimPrefix(at, "."))
	}
	return krm.Value(n)
}
