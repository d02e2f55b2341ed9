package manifest

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Normalize is n as a work holds it: the author's keys in the author's order, block style,
// aliases expanded, no comments. It depends on the data alone: a work has the same bytes however its source
// is formatted, and whether or not it came through a protocol.
func Normalize(n *yaml.Node) *yaml.Node {
	n = krm.Deref(n)
	if n.Kind == yaml.ScalarNode {
		return normalScalar(n)
	}
	c := &yaml.Node{Kind: n.Kind, Tag: yaml.NodeTagSeq, Content: make([]*yaml.Node, len(n.Content))}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			c.Content[i] = String(child.Value)
			continue
		}
		c.Content[i] = Normalize(child)
	}
	if n.Kind == yaml.MappingNode {
		c.Tag = yaml.NodeTagMap
	}
	if len(n.Content) == 0 {
		c.Style = yaml.FlowStyle // "{}" and "[]" have no block form
	}
	return c
}

func normalScalar(n *yaml.Node) *yaml.Node {
	switch tag := n.ShortTag(); tag {
	case yaml.NodeTagNull:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: "null"}
	case yaml.NodeTagBool, yaml.NodeTagInt, yaml.NodeTagFloat:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: n.Value}
	}
	if bare := n.Style == 0 && n.ShortTag() == yaml.NodeTagString; bare && krm.StringNode(n.Value).Style != 0 {
		// A bare yes: text in YAML 1.2, a boolean in 1.1. It stays as the author wrote it.
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: n.Value}
	}
	return String(n.Value) // a timestamp or binary of YAML is text in JSON
}

// textStyle is the style of a string: a block for lines; quotes where a block would lose
// characters, where a template may add any text, or where a reader would not read a string; else
// the choice of the writer.
func textStyle(s string) yaml.Style {
	switch lines := strings.Contains(s, "\n"); {
	case lines && fitsBlock(s):
		return yaml.LiteralStyle
	case lines, strings.Contains(s, "{{"), isAmbiguous(s):
		return yaml.DoubleQuotedStyle
	}
	return krm.StringNode(s).Style
}

// fitsBlock reports whether a literal block preserves s. Blanks and empty lines at the start need
// an indentation hint, which readers treat differently; editors remove blanks at line ends.
func fitsBlock(s string) bool {
	if strings.ContainsAny(s[:1], " \t\n") || strings.ContainsAny(s, "\r\t\u0085\u2028\u2029\ufeff") {
		return false
	}
	return !strings.Contains(s, " \n") && !strings.HasSuffix(s, " ")
}
