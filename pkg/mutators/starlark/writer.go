package starlark

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	star "go.starlark.net/starlark"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// writer converts values to nodes, within bounds: a list that holds another one a thousand times is small in memory, and a
// thousand times as large when written.
type writer struct{ nodes, bytes int }

var (
	errLarge = errors.New("the items that the script left are larger than a file may be")
	errDeep  = errors.New("the items that the script left are nested too deeply, or contain themselves")
)

// at puts a place before err, unless err is about all items.
func at(place string, err error) error {
	if errors.Is(err, errLarge) || errors.Is(err, errDeep) {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

// allow adds the size of an item before to the size that is allowed now.
func (w *writer) allow(n *yaml.Node) {
	w.nodes++
	w.bytes += len(n.Value)
	for _, c := range n.Content {
		w.allow(c)
	}
}

// node converts v. A value that is the same as before, the old node if any, keeps that node: numbers keep their spelling.
func (w *writer) node(v star.Value, before *yaml.Node, depth int) (*yaml.Node, error) {
	if w.nodes--; w.nodes < 0 {
		return nil, errLarge
	}
	if depth > krm.DefaultLimits.Depth {
		return nil, errDeep
	}
	switch v := v.(type) {
	case *star.Dict:
		return w.mapping(v, before, depth)
	case *star.List:
		return w.sequence(v, before, depth)
	case star.Tuple:
		return w.sequence(v, before, depth)
	}
	return w.scalar(v, before)
}

func (w *writer) mapping(d *star.Dict, before *yaml.Node, depth int) (*yaml.Node, error) {
	n := krm.MapNode()
	fields := map[string]int{}
	if before != nil && before.Kind == yaml.MappingNode {
		n.Style = before.Style
		for i := 0; i+1 < len(before.Content); i += 2 {
			fields[before.Content[i].Value] = i
		}
	}
	for _, item := range d.Items() {
		name, ok := star.AsString(item[0])
		if !ok {
			return nil, fmt.Errorf("a key is a %s, want text", item[0].Type())
		}
		key, old := krm.StringNode(name), (*yaml.Node)(nil)
		if i, ok := fields[name]; ok {
			key, old = before.Content[i], before.Content[i+1]
		}
		if w.bytes -= len(name); w.bytes < 0 {
			return nil, errLarge
		}
		value, err := w.node(item[1], old, depth+1)
		if err != nil {
			return nil, at(name, err)
		}
		n.Content = append(n.Content, key, value)
	}
	return withBraces(n), nil
}

func (w *writer) sequence(l star.Indexable, before *yaml.Node, depth int) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	same := before != nil && before.Kind == yaml.SequenceNode
	if same {
		n.Style = before.Style
	}
	for i := range l.Len() {
		var old *yaml.Node
		if same && i < len(before.Content) {
			old = before.Content[i]
		}
		value, err := w.node(l.Index(i), old, depth+1)
		if err != nil {
			return nil, at(fmt.Sprintf("[%d]", i), err)
		}
		n.Content = append(n.Content, value)
	}
	return withBraces(n), nil
}

// withBraces gives an empty map or list its only form.
func withBraces(n *yaml.Node) *yaml.Node {
	if len(n.Content) == 0 {
		n.Style |= yaml.FlowStyle
	}
	return n
}

func (w *writer) scalar(v star.Value, before *yaml.Node) (*yaml.Node, error) {
	if before != nil && before.Kind == yaml.ScalarNode {
		if old, err := krm.Value(before); err == nil && fromScalar(old) == v {
			return before, nil
		}
	}
	n, err := scalarNode(v)
	if err != nil {
		return nil, err
	}
	if w.bytes -= len(n.Value); w.bytes < 0 {
		return nil, errLarge
	}
	return n, nil
}

func scalarNode(v star.Value) (*yaml.Node, error) {
	switch v := v.(type) {
	case star.NoneType:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}, nil
	case star.Bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: strconv.FormatBool(bool(v))}, nil
	case star.Int:
		if v.BigInt().BitLen() > 64 {
			return nil, errors.New("a number is larger than 64 bits")
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: v.String()}, nil
	case star.Float:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errors.New("JSON cannot hold infinity or NaN")
		}
		n := &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatFloat(float64(v), 'g', -1, 64)}
		n.Tag = n.ShortTag()
		return n, nil
	case star.String:
		return krm.StringNode(string(v)), nil
	}
	return nil, fmt.Errorf("an object cannot hold a %s", v.Type())
}
