package krm

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// appendPlainString appends a string of that style behind a key or a dash that stands at column, with the end of its line,
// and reports whether it could.
func appendPlainString(dst []byte, s string, style yaml.Style, column int) ([]byte, bool) {
	w := plainWriter{out: dst}
	ok := w.plainString(s, style, column)
	return w.out, ok
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
