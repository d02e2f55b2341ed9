package comments

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// Normalise changes a document that was parsed from text to the form of the writer.
func Normalise(doc *yaml.Node, text []byte) {
	foldHeader(doc)
	normaliseScalars(doc.Content[0], false)
	if bytes.IndexByte(text, '#') >= 0 {
		(&misplaced{text: text}).walk(doc.Content[0])
		stabiliseDocument(doc)
	}
}

// NormaliseEdited does for an edited document what Normalise does for a parsed one.
func NormaliseEdited(doc *yaml.Node) {
	normaliseScalars(doc, false)
	Stabilise(doc)
}

// foldHeader moves the comment above a document to its first field, where it stays with the object
// from function to function, and removes blank lines, as kpt's render does. The parser puts a comment
// without a blank line after it in the same place.
func foldHeader(doc *yaml.Node) {
	root := doc.Content[0]
	place := root
	if len(root.Content) > 0 && root.Style&yaml.FlowStyle == 0 {
		place = root.Content[0]
	}
	header := doc.HeadComment + "\n" + root.HeadComment
	if place != root {
		header += "\n" + place.HeadComment
	}
	var kept []string
	for line := range strings.SplitSeq(header, "\n") {
		if strings.TrimSpace(line) != "" {
			kept = append(kept, line)
		}
	}
	doc.HeadComment, root.HeadComment = "", ""
	place.HeadComment = strings.Join(kept, "\n")
}

// normaliseScalars respells scalars that the writer would write as other data. An empty null inside of
// braces or brackets, as in {a: }, would become an empty text. Folded texts are quoted, as kpt's render
// does: folding again adds and loses blanks and lines. The text "<<" is quoted, too: the writer leaves it
// bare, and the reader reads it as a merge key.
func normaliseScalars(n *yaml.Node, inFlow bool) {
	inFlow = inFlow || n.Style&yaml.FlowStyle != 0
	switch {
	case n.Kind != yaml.ScalarNode:
	case inFlow && n.Value == "" && n.Tag == yaml.NodeTagNull:
		n.Value = "null"
	case n.Style&yaml.FoldedStyle != 0:
		n.Style = n.Style&^yaml.FoldedStyle | yaml.DoubleQuotedStyle
	case n.Value == encode.MergeKey && n.Style == 0 && n.ShortTag() == yaml.NodeTagString:
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		normaliseScalars(c, inFlow)
	}
}

// Any reports whether a node, or one below it, has a comment.
func Any(n *yaml.Node) bool {
	return n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" || slices.ContainsFunc(n.Content, Any)
}
