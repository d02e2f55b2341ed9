package library

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	star "go.starlark.net/starlark"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// payForDocument pays for reading text, in which every mark may begin a value.
func (h Host) payForDocument(text, marks string) error {
	values := 1
	for _, mark := range marks {
		values += strings.Count(text, string(mark))
	}
	return h.Pay(values*value + built*len(text))
}

// payForText pays for writing v: each value becomes a node first.
func (h Host) payForText(v star.Value) error {
	const perByte = 16 // of the least that a value costs, so that it pays for a node
	size := h.Size(v)
	if size > 1<<40 {
		return h.Pay(size)
	}
	return h.Pay(small + perByte*size)
}

// encodeJSON is json.encode(value).
func encodeJSON(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	var v star.Value
	if err := star.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &v); err != nil {
		return nil, err
	}
	n, err := h.node(b, v)
	if err != nil {
		return nil, err
	}
	data, err := krm.CanonicalJSON(n)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	return star.String(data), nil
}

// node is the argument v of b as a node.
func (h Host) node(b *star.Builtin, v star.Value) (*yaml.Node, error) {
	if err := h.payForText(v); err != nil {
		return nil, err
	}
	n, err := h.ToNode(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	return n, nil
}

// decodeJSON is json.decode(text, default), which is the result for a text that is no JSON.
func decodeJSON(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	var text string
	var otherwise star.Value
	if err := star.UnpackArgs(b.Name(), args, kwargs, "x", &text, "default?", &otherwise); err != nil {
		return nil, err
	}
	if err := h.payForDocument(text, ",:[{"); err != nil {
		return nil, err
	}
	var raw json.RawMessage
	err := json.Unmarshal([]byte(text), &raw)
	if err != nil && otherwise != nil {
		return otherwise, nil
	}
	var n *yaml.Node
	if err == nil {
		n, err = krm.NodeOf(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	return h.FromNode(n)
}

// indentJSON is json.indent(text, prefix, indent).
func indentJSON(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	text, prefix, indent := "", "", "\t"
	if err := star.UnpackArgs(b.Name(), args, kwargs, "str", &text, "prefix?", &prefix, "indent?", &indent); err != nil {
		return nil, err
	}
	lines, depth, deepest := 1, 0, 0
	for _, c := range []byte(text) {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if strings.IndexByte(",[]{}", c) >= 0 {
			lines++
		}
		deepest = max(deepest, depth)
	}
	if deepest > krm.DefaultLimits.Depth || len(prefix)+len(indent) > 100 {
		return nil, fmt.Errorf("%s: the text is nested too deeply, or the indentation too wide", b.Name())
	}
	if err := h.Pay(built * (len(text) + lines*(len(prefix)+deepest*len(indent)))); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), prefix, indent); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	return star.String(out.String()), nil
}

// loadYAML is yaml.loads(text), of one document.
func loadYAML(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	var text string
	if err := star.UnpackArgs(b.Name(), args, kwargs, "source", &text); err != nil {
		return nil, err
	}
	if err := h.payForDocument(text, ",:[{\n?-"); err != nil {
		return nil, err
	}
	text = strings.TrimPrefix(text, "---\n")
	indented := "value:\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n" // read as a field, with the usual limits
	objects, err := krm.Read("source", []byte(indented), krm.Limits{})
	if err != nil || len(objects) != 1 || len(objects[0].Node().Content) != 2 {
		return nil, fmt.Errorf("%s: the text is not one YAML document", b.Name())
	}
	o := objects[0]
	o.ExpandAliases()
	if err := h.Pay(value * krm.CountValues(o.Node())); err != nil {
		return nil, err
	}
	return h.FromNode(o.Lookup("value"))
}

// dumpYAML is yaml.dumps(value), with sorted keys.
func dumpYAML(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	var v star.Value
	if err := star.UnpackArgs(b.Name(), args, kwargs, "source", &v); err != nil {
		return nil, err
	}
	n, err := h.node(b, v)
	if err != nil {
		return nil, err
	}
	sortKeys(n)
	text, err := yaml.NewRNode(n).String()
	if err != nil {
		return nil, fmt.Errorf("%s: the value cannot be written", b.Name())
	}
	return star.String(text), nil
}

func sortKeys(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		pairs := slices.Collect(slices.Chunk(n.Content, 2))
		slices.SortFunc(pairs, func(a, b []*yaml.Node) int { return strings.Compare(a[0].Value, b[0].Value) })
		n.Content = slices.Concat(pairs...)
	}
	for _, c := range n.Content {
		sortKeys(c)
	}
}
