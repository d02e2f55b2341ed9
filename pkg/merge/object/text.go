package object

import (
	"encoding/json"
	"strings"
	"unicode"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// MaxText is the length at which the text of a value is cut.
const MaxText = 200

// shortText is n on one line, cut at MaxText; nil for no node.
func shortText(n *yaml.Node) *string {
	if n == nil {
		return nil
	}
	s := Flow(n, MaxText)
	return &s
}

// Flow is n on one line, cut at most characters.
func Flow(n *yaml.Node, most int) string {
	w := flowWriter{most: most}
	w.value(krm.Deref(n))
	return w.out.String()
}

type flowWriter struct {
	out  strings.Builder
	most int
}

// full reports whether the text is long enough.
func (w *flowWriter) full() bool { return w.out.Len() >= w.most }

func (w *flowWriter) value(n *yaml.Node) {
	switch n = krm.Deref(n); n.Kind {
	case yaml.MappingNode:
		w.container("{", "}", n, 2)
	case yaml.SequenceNode:
		w.container("[", "]", n, 1)
	default:
		w.scalar(n)
	}
}

func (w *flowWriter) container(begin, end string, n *yaml.Node, step int) {
	w.out.WriteString(begin)
	for i := 0; i+step <= len(n.Content); i += step {
		if i > 0 {
			w.out.WriteString(", ")
		}
		if w.full() {
			w.out.WriteString("…")
			break
		}
		if step == 2 {
			w.scalar(n.Content[i])
			w.out.WriteString(": ")
		}
		w.value(n.Content[i+step-1])
	}
	w.out.WriteString(end)
}

func (w *flowWriter) scalar(n *yaml.Node) {
	text, rest := []rune(n.Value), ""
	if len(text) > w.most {
		text, rest = text[:w.most], "…"
	}
	s := string(text)
	switch {
	case n.ShortTag() == yaml.NodeTagNull:
		s = "null"
	case n.ShortTag() == yaml.NodeTagString && !isPlainText(s), strings.ContainsFunc(s, unicode.IsControl):
		quoted, err := json.Marshal(s)
		if err == nil { // always, for a string
			s = string(quoted)
		}
	}
	w.out.WriteString(s + rest)
}

// isPlainText reports whether YAML reads s without quotes, among others, as a string.
func isPlainText(s string) bool {
	return s != "" && strings.TrimSpace(s) == s && !strings.ContainsAny(s, ",[]{}#&*!|>'\"%@`\n\t") &&
		!strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") && !strings.HasPrefix(s, "-") && !strings.HasPrefix(s, "?") &&
		krm.StringNode(s).Style == 0
}
