package krm

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// isBlock reports whether n is a map or list with something in it, and not in braces or brackets.
func isBlock(n *yaml.Node) bool {
	if n.Style&yaml.FlowStyle != 0 {
		return false
	}
	return n.Kind == yaml.MappingNode && len(n.Content) > 1 || n.Kind == yaml.SequenceNode && len(n.Content) > 0
}

// isAdorned reports whether an anchor or tag stands before n.
func isAdorned(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return false
	}
	return n.Anchor != "" || n.Style&yaml.TaggedStyle != 0
}

// lastOf is the key of the last field or the last item.
func lastOf(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		return n.Content[len(n.Content)-2]
	}
	return n.Content[len(n.Content)-1]
}

// endsOpen reports whether the last text in n keeps the empty lines below it: one more, as the printer
// puts above a comment that stands below a field, would be one of them.
func endsOpen(n *yaml.Node) bool {
	for isBlock(n) {
		n = n.Content[len(n.Content)-1]
	}
	quoted := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	return n.Kind == yaml.ScalarNode && n.Style&quoted == 0 && (n.Value == "\n" || strings.HasSuffix(n.Value, "\n\n"))
}

// endsInNothing reports whether nothing stands behind the last key in n.
func endsInNothing(n *yaml.Node) bool {
	for isBlock(n) {
		n = n.Content[len(n.Content)-1]
	}
	return isNothing(n) && !isAdorned(n)
}

// isNothing reports whether n is written as no text at all, but for an anchor or tag.
func isNothing(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && (n.Style == 0 && n.Tag != yaml.NodeTagString || n.Style == yaml.TaggedStyle)
}
