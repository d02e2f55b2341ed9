package encode

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// writer writes the common forms of nodes: block maps and lists of scalars that have only one form, with
// comments above fields and behind values. It gives up at the first other node; then the YAML library
// writes the whole document. Its text equals the output of the library, at a small part of the cost: the
// library resolves and analyses every scalar.
type writer struct {
	out   []byte
	wide  bool
	lists int // how many lists it is in
}

// Append appends doc and reports whether it could.
func Append(dst []byte, doc *yaml.Node, wide bool) ([]byte, bool) {
	root := doc.Content[0]
	w := writer{out: dst, wide: wide}
	ok := hasNoComments(doc) && hasNoComments(root) && isPlain(root) && root.Kind == yaml.MappingNode && len(root.Content) > 0 &&
		w.mapping(root, 0, false)
	return w.out, ok
}

// AppendItem appends root as an item of a list with its dash in the first column. For the rules of comments in lists, the object
// counts as one in no list.
func AppendItem(dst []byte, root *yaml.Node) ([]byte, bool) {
	w := writer{out: dst, lists: -1}
	ok := w.sequence(&yaml.Node{Content: []*yaml.Node{root}}, 0, false)
	return w.out, ok
}

func hasNoComments(n *yaml.Node) bool {
	return n.HeadComment == "" && n.LineComment == "" && n.FootComment == ""
}

// isPlain reports whether n has no anchor, alias or unusual tag, and is not in braces or brackets unless
// it is empty. Comments are checked where they are written.
func isPlain(n *yaml.Node) bool {
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
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

func (w *writer) indent(column int) {
	for ; column > len(blanks); column -= len(blanks) {
		w.out = append(w.out, blanks...)
	}
	w.out = append(w.out, blanks[:column]...)
}

// mapping writes a map with its keys at column; inline, the first continues a line.
func (w *writer) mapping(m *yaml.Node, column int, inline bool) bool {
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		if !w.begin(key, column, inline && i == 0) || !w.key(key) || !w.field(key, value, column) {
			return false
		}
	}
	return true
}

// longestKey is the length of keys that are on one line with any value.
const longestKey = 100

func (w *writer) key(k *yaml.Node) bool {
	if k.Kind != yaml.ScalarNode || !isPlain(k) || len(k.Value) > longestKey || k.Style&yaml.LiteralStyle != 0 ||
		k.Value == "" || strings.Contains(k.Value, "\n") || !w.scalar(k) {
		return false
	}
	w.out = append(w.out, ':')
	return true
}

// field writes the value of a key at column.
func (w *writer) field(key, v *yaml.Node, column int) bool {
	note, ok := trailingComment(key, v)
	switch {
	case ok && note == "" && isBracketed(v) && len(v.Content) > 0:
		w.out = append(w.out, ' ')
		return w.bracketed(v)
	case !ok || !isPlain(v):
		return false
	case v.Kind == yaml.ScalarNode || len(v.Content) == 0:
		w.out = append(w.out, ' ')
		return w.line(v, note, column)
	}
	w.endLine(note)
	if v.Kind == yaml.MappingNode {
		return w.mapping(v, column+2, false)
	}
	if w.wide {
		column += 2
	}
	return w.sequence(v, column, false)
}

// sequence writes a list with its dashes at column; inline, the first continues a line.
func (w *writer) sequence(s *yaml.Node, column int, inline bool) bool {
	w.lists++
	defer func() { w.lists-- }()
	for i, v := range s.Content {
		if !w.begin(v, column, inline && i == 0) {
			return false
		}
		w.out = append(w.out, '-', ' ')
		if !w.item(v, column) {
			return false
		}
	}
	return true
}

// item writes an item with its dash at column.
func (w *writer) item(v *yaml.Node, column int) bool {
	switch {
	case v.FootComment != "" || w.lists == 1 && len(v.Content) > 0 && v.Content[0].HeadComment != "": // see raise
		return false
	case v.LineComment == "" && isBracketed(v) && len(v.Content) > 0:
		return w.bracketed(v)
	case !isPlain(v):
		return false
	case v.Kind == yaml.ScalarNode:
		return isPlainComment(v.LineComment) && w.line(v, v.LineComment, column)
	case v.LineComment != "":
		return false
	case len(v.Content) == 0:
		return w.line(v, "", column)
	case v.Kind == yaml.MappingNode:
		return w.mapping(v, column+2, true)
	}
	return w.sequence(v, column+2, true)
}

// line writes a scalar or something empty, with the comment behind it, to the end of its line.
func (w *writer) line(v *yaml.Node, note string, column int) bool {
	ok := true
	switch {
	case v.Kind == yaml.MappingNode:
		w.out = append(w.out, "{}"...)
	case v.Kind == yaml.SequenceNode:
		w.out = append(w.out, "[]"...)
	case v.Style&yaml.LiteralStyle != 0 || v.Style == 0 && strings.Contains(v.Value, "\n"):
		return v.Tag == yaml.NodeTagString && note == "" && w.literal(v.Value, column+2)
	default:
		ok = w.scalar(v)
	}
	w.endLine(note)
	return ok
}
