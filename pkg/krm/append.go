package krm

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// AppendString appends what Write writes of a string of that style behind a key or a dash that
// stands at column (an even number, as all are), to the end of its last line.
func AppendString(dst []byte, s string, style yaml.Style, column int) ([]byte, error) {
	w := plainWriter{out: dst}
	if w.plainString(s, style, column) {
		return w.out, nil
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: style}
	return appendByLibrary(dst, n, column)
}

// plainString is line for a string of that style, without a node.
func (w *plainWriter) plainString(s string, style yaml.Style, column int) bool {
	switch {
	case style == 0 && isBareText(s) && bareTag(s) == yaml.NodeTagString:
		w.out = append(w.out, s...)
	case style == yaml.DoubleQuotedStyle && w.doubleQuoted(s):
	case style == yaml.LiteralStyle:
		return w.literal(s, column+2)
	default:
		return false
	}
	w.out = append(w.out, '\n')
	return true
}

// appendByLibrary has the library write n at the end of as many maps as column takes.
func appendByLibrary(dst []byte, n *yaml.Node, column int) ([]byte, error) {
	w, m := plainWriter{}, MapNode(StringNode("k"), n)
	for c := 0; c < column; c += 2 {
		m = MapNode(StringNode("k"), m)
		w.indent(c)
		w.out = append(w.out, "k:\n"...)
	}
	w.indent(column)
	w.out = append(w.out, "k: "...)
	data, err := WriteRaw(FromNode(m))
	text, ok := bytes.CutPrefix(data, w.out)
	if err == nil && !ok {
		err = fmt.Errorf("no string can stand at column %d", column)
	}
	return append(dst, text...), err
}
