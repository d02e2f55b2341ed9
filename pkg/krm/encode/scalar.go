package encode

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// scalar writes the one-line forms of a scalar, when they are certain.
func (w *writer) scalar(n *yaml.Node) bool {
	switch n.Style {
	case 0:
		return w.bare(n)
	case yaml.DoubleQuotedStyle:
		return n.Tag == yaml.NodeTagString && w.doubleQuoted(n.Value)
	case yaml.SingleQuotedStyle:
		return n.Tag == yaml.NodeTagString && w.quoted(n.Value, '\'', '\'')
	}
	return false
}

// bare writes a scalar without quotes when a reader gives it its tag.
func (w *writer) bare(n *yaml.Node) bool {
	if !isBareText(n.Value) || n.Value == MergeKey {
		return false
	}
	switch tag := bareTag(n.Value); {
	case tag == n.Tag:
	case n.Tag == yaml.NodeTagString:
		return w.doubleQuoted(n.Value) // bare, it would have another type
	default:
		return false
	}
	w.out = append(w.out, n.Value...)
	return true
}

// isBareText reports whether s may be without quotes in block context, with any type: printable ASCII
// without the signs of YAML.
func isBareText(s string) bool {
	if s == "" || strings.IndexByte("#,[]{}&*!|>'\"%@`?: ", s[0]) >= 0 || isMarker(s) {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c > '~':
			return false
		case c == ':' && (i+1 == len(s) || s[i+1] == ' '), c == '#' && s[i-1] == ' ':
			return false
		}
	}
	return s[len(s)-1] != ' '
}

// isMarker reports whether s begins as a list item or as the mark between documents.
func isMarker(s string) bool {
	return s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...")
}

// bareTag is the tag that a reader gives s without quotes. The first letter shows that most words
// are text; whole numbers are easy to recognise; the library decides on the rest.
func bareTag(s string) string {
	const longestWord = len("false")
	switch c := s[0]; {
	case '0' <= c && c <= '9' || strings.IndexByte("+-.<=", c) >= 0:
		if IsDecimal(s) {
			return yaml.NodeTagInt
		}
	case len(s) > longestWord || strings.IndexByte("yYnNtTfFoO~", c) < 0:
		return yaml.NodeTagString
	}
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: s}).ShortTag()
}

// IsDecimal reports whether s is a whole number in the one spelling that every reader reads as that number.
func IsDecimal(s string) bool {
	const certainlyFits = 18
	if len(s) > certainlyFits || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func (w *writer) doubleQuoted(s string) bool { return w.quoted(s, '"', '\\') }

// quoted writes s in quotes, unless it holds a character that must be escaped.
func (w *writer) quoted(s string, quote, escape byte) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == quote || c == escape {
			return false
		}
	}
	w.out = append(w.out, quote)
	w.out = append(w.out, s...)
	w.out = append(w.out, quote)
	return true
}

// literal writes lines as a block at column, when the header of the block needs no more than the mark of a
// missing last line end.
func (w *writer) literal(s string, column int) bool {
	if !isBlockText(s) {
		return false
	}
	text, ended := strings.CutSuffix(s, "\n")
	w.out = append(w.out, '|')
	if !ended {
		w.out = append(w.out, '-')
	}
	w.out = append(w.out, '\n')
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			w.indent(column)
			w.out = append(w.out, line...)
		}
		w.out = append(w.out, '\n')
	}
	return true
}

func isBlockText(s string) bool {
	if s == "" || s[0] == ' ' || s[0] == '\n' || s[len(s)-1] == ' ' || strings.HasSuffix(s, "\n\n") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c > '~' || c < ' ' && c != '\n' || c == '\n' && s[i-1] == ' ' {
			return false
		}
	}
	return true
}

// MergeKey is the key that merges another map into one.
const MergeKey = "<<"

// AppendString appends a string of that style behind a key or dash at column, with the end of its line, and reports
// whether it could.
func AppendString(dst []byte, s string, style yaml.Style, column int) ([]byte, bool) {
	w := writer{out: dst}
	ok := w.plainString(s, style, column)
	return w.out, ok
}

// plainString is line for a string of that style, without a node.
func (w *writer) plainString(s string, style yaml.Style, column int) bool {
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
