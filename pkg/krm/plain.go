package krm

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// plainWriter writes the shapes that most objects consist of: block maps and lists of scalars that
// need no thought. It gives up at the first thing it is not sure of, and then the whole document
// goes through the YAML library. What it does write is what the library would, at a small part of
// the cost: the library resolves and analyses every scalar it meets.
type plainWriter struct {
	out  []byte
	wide bool
}

// appendPlain appends doc and reports whether it could.
func appendPlain(dst []byte, doc *yaml.Node, wide bool) ([]byte, bool) {
	root := doc.Content[0]
	w := plainWriter{out: dst, wide: wide}
	ok := uncommented(doc) && unadorned(root) && root.Kind == yaml.MappingNode && len(root.Content) > 0 &&
		w.mapping(root, 0, false)
	return w.out, ok
}

func uncommented(n *yaml.Node) bool {
	return n.HeadComment == "" && n.LineComment == "" && n.FootComment == ""
}

// unadorned reports whether n is nothing but its value: no comment, anchor, alias or odd tag, and
// not in braces or brackets unless it is empty.
func unadorned(n *yaml.Node) bool {
	if !uncommented(n) || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return false
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return true
	case yaml.MappingNode:
		return (n.Tag == yaml.NodeTagMap || n.Tag == "") && (n.Style == 0 || len(n.Content) == 0)
	case yaml.SequenceNode:
		return (n.Tag == yaml.NodeTagSeq || n.Tag == "") && (n.Style == 0 || len(n.Content) == 0)
	}
	return false
}

const blanks = "                                                                "

func (w *plainWriter) indent(column int) {
	for ; column > len(blanks); column -= len(blanks) {
		w.out = append(w.out, blanks...)
	}
	w.out = append(w.out, blanks[:column]...)
}

// mapping writes a map whose keys stand at column; inline, the first is on a line already.
func (w *plainWriter) mapping(m *yaml.Node, column int, inline bool) bool {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if i > 0 || !inline {
			w.indent(column)
		}
		if !w.key(m.Content[i]) || !w.field(m.Content[i+1], column) {
			return false
		}
	}
	return true
}

// longestKey is what stays on one line with its value whatever the value is.
const longestKey = 100

func (w *plainWriter) key(k *yaml.Node) bool {
	if k.Kind != yaml.ScalarNode || !unadorned(k) || len(k.Value) > longestKey || k.Style&yaml.LiteralStyle != 0 ||
		k.Value == "" || strings.Contains(k.Value, "\n") || !w.scalar(k) {
		return false
	}
	w.out = append(w.out, ':')
	return true
}

// field writes what stands behind a key at column.
func (w *plainWriter) field(v *yaml.Node, column int) bool {
	switch {
	case !unadorned(v):
		return false
	case v.Kind == yaml.ScalarNode || len(v.Content) == 0:
		w.out = append(w.out, ' ')
		return w.line(v, column)
	}
	w.out = append(w.out, '\n')
	if v.Kind == yaml.MappingNode {
		return w.mapping(v, column+2, false)
	}
	if w.wide {
		column += 2
	}
	return w.sequence(v, column, false)
}

// sequence writes a list whose dashes stand at column; inline, the first is on a line already.
func (w *plainWriter) sequence(s *yaml.Node, column int, inline bool) bool {
	for i, v := range s.Content {
		if i > 0 || !inline {
			w.indent(column)
		}
		w.out = append(w.out, '-', ' ')
		if !unadorned(v) || !w.item(v, column) {
			return false
		}
	}
	return true
}

// item writes what stands behind a dash at column.
func (w *plainWriter) item(v *yaml.Node, column int) bool {
	switch {
	case v.Kind == yaml.ScalarNode || len(v.Content) == 0:
		return w.line(v, column)
	case v.Kind == yaml.MappingNode:
		return w.mapping(v, column+2, true)
	}
	return w.sequence(v, column+2, true)
}

// line writes a scalar or something empty, to the end of its line.
func (w *plainWriter) line(v *yaml.Node, column int) bool {
	switch v.Kind {
	case yaml.MappingNode:
		w.out = append(w.out, "{}\n"...)
		return true
	case yaml.SequenceNode:
		w.out = append(w.out, "[]\n"...)
		return true
	}
	if v.Style&yaml.LiteralStyle != 0 || v.Style == 0 && strings.Contains(v.Value, "\n") {
		return v.Tag == yaml.NodeTagString && w.literal(v.Value, column+2)
	}
	ok := w.scalar(v)
	w.out = append(w.out, '\n')
	return ok
}
