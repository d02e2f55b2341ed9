package comments

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// isBlock reports whether n is a map or list that is not empty, and not in braces or brackets.
func isBlock(n *yaml.Node) bool {
	if n.Style&yaml.FlowStyle != 0 {
		return false
	}
	return n.Kind == yaml.MappingNode && len(n.Content) > 1 || n.Kind == yaml.SequenceNode && len(n.Content) > 0
}

// hasAnchorOrTag reports whether n has an anchor or tag in the text.
func hasAnchorOrTag(n *yaml.Node) bool {
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

// endsOpen reports whether the last text in n keeps the empty lines below it: the one that the printer
// adds above a comment below a field would be one of them.
func endsOpen(n *yaml.Node) bool {
	for isBlock(n) {
		n = n.Content[len(n.Content)-1]
	}
	quoted := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	return n.Kind == yaml.ScalarNode && n.Style&quoted == 0 && (n.Value == "\n" || strings.HasSuffix(n.Value, "\n\n"))
}

// endsInNothing reports whether the last key in n has no text after it.
func endsInNothing(n *yaml.Node) bool {
	for isBlock(n) {
		n = n.Content[len(n.Content)-1]
	}
	return isEmpty(n) && !hasAnchorOrTag(n)
}

// isEmpty reports whether n is written without text, except an anchor or tag.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && (n.Style == 0 && n.Tag != yaml.NodeTagString || n.Style == yaml.TaggedStyle)
}

// moveBelow appends a comment to those below at.
func moveBelow(at *yaml.Node, comment *string) {
	if *comment != "" {
		at.FootComment = strings.TrimLeft(at.FootComment+"\n\n"+*comment, "\n")
		*comment = ""
	}
}

// moveDown puts the comment above a map or list above its first field or item, before any comment there.
func moveDown(n *yaml.Node) {
	moveAbove(n, &n.Content[0].HeadComment)
	n.Content[0].HeadComment, n.HeadComment = n.HeadComment, ""
}

// oneLine moves a comment of several lines, which cannot be behind a value, above at.
func oneLine(at *yaml.Node, comment *string) {
	if strings.Contains(*comment, "\n") {
		moveAbove(at, comment)
	}
}

// moveAbove appends a comment to those above at.
func moveAbove(at *yaml.Node, comment *string) {
	text := strings.Trim(*comment, "\n")
	if *comment = ""; text == "" {
		return
	}
	text = oneParagraph(text)
	if trimEnd(&at.HeadComment); at.HeadComment != "" {
		text = at.HeadComment + "\n" + text
	}
	at.HeadComment = text
}

// oneParagraph is a comment without blank lines.
func oneParagraph(comment string) string {
	for strings.Contains(comment, "\n\n") {
		comment = strings.ReplaceAll(comment, "\n\n", "\n")
	}
	return comment
}

// trimEnd removes the blank line below a comment, which is not written.
func trimEnd(comment *string) { *comment = strings.TrimRight(*comment, "\n") }
