package krm

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// moveBelow puts a comment below those that stand below at.
func moveBelow(at *yaml.Node, comment *string) {
	if *comment != "" {
		at.FootComment = strings.TrimLeft(at.FootComment+"\n\n"+*comment, "\n")
		*comment = ""
	}
}

// moveDown puts the comment above a map or list above its first field or item, and above what stands there.
func moveDown(n *yaml.Node) {
	moveAbove(n, &n.Content[0].HeadComment)
	n.Content[0].HeadComment, n.HeadComment = n.HeadComment, ""
}

// oneLine moves a comment that would not fit behind something above at.
func oneLine(at *yaml.Node, comment *string) {
	if strings.Contains(*comment, "\n") {
		moveAbove(at, comment)
	}
}

// moveAbove puts a comment below those that stand above at.
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

// trimEnd takes out the blank line below a comment, which is not written.
func trimEnd(comment *string) { *comment = strings.TrimRight(*comment, "\n") }
