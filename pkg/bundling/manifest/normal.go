package manifest

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Normalize is n as it stands inside a work: the author's keys in the author's order, block style,
// aliases written out, no comments. What it looks like depends on the data alone, so that a work
// has the same bytes however its source was formatted and whether or not it crossed a protocol.
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
		// A bare yes: text to YAML 1.2, a boolean to 1.1. It stays as the author has it.
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: n.Value}
	}
	return String(n.Value) // what YAML calls a timestamp or binary is text to JSON
}

// textStyle is the style that fits a string: a block for lines, quotes where a block would lose
// something, where a template may yet put anything, or where some reader would see no string; else
// whatever the writer picks.
func textStyle(s string) yaml.Style {
	switch lines := strings.Contains(s, "\n"); {
	case lines && fitsBlock(s):
		return yaml.LiteralStyle
	case lines, strings.Contains(s, "{{"), isAmbiguous(s):
		return yaml.DoubleQuotedStyle
	}
	return krm.StringNode(s).Style
}

// fitsBlock reports whether a literal block gives s back. Blanks and empty lines at the start need
// an indentation hint that readers disagree about; blanks at line ends do not survive review.
func fitsBlock(s string) bool {
	if strings.ContainsAny(s[:1], " \t\n") || strings.ContainsAny(s, "\r\t\u0085\u2028\u2029\ufeff") {
		return false
	}
	return !strings.Contains(s, " \n") && !strings.HasSuffix(s, " ")
}
