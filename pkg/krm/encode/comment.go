package encode

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// begin writes the comment above a key or a list item and indents to its column, unless inline.
func (w *writer) begin(n *yaml.Node, column int, inline bool) bool {
	goTo := func() {
		if !inline {
			w.indent(column)
		}
		inline = false
	}
	if n.HeadComment != "" {
		for line := range strings.SplitSeq(n.HeadComment, "\n") {
			if line == "" || !isPlainComment(line) {
				return false
			}
			goTo()
			w.out = append(w.out, line...)
			w.out = append(w.out, '\n')
		}
	}
	goTo()
	return true
}

// trailingComment is the one comment behind a field's key, or its value when that is on the same line.
// With more comments, or elsewhere, ok is false.
func trailingComment(key, v *yaml.Node) (note string, ok bool) {
	if key.FootComment != "" || v.HeadComment != "" || v.FootComment != "" {
		return "", false
	}
	if note = key.LineComment; v.LineComment != "" {
		if note != "" || v.Kind != yaml.ScalarNode {
			return "", false
		}
		note = v.LineComment
	}
	return note, isPlainComment(note) && (note == "" || v.Kind == yaml.ScalarNode || len(v.Content) > 0)
}

// isPlainComment reports whether s is empty, or a plain comment on one line.
func isPlainComment(s string) bool {
	if s != "" && s[0] != '#' {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func (w *writer) endLine(note string) {
	if note != "" {
		w.out = append(w.out, ' ')
		w.out = append(w.out, note...)
	}
	w.out = append(w.out, '\n')
}
