package comments

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// block stabilises the comments in a map or list.
func (s stabiliser) block(n *yaml.Node) {
	if first := n.Content[0]; hasAnchorOrTag(n) {
		first.HeadComment = oneParagraph(first.HeadComment)
	}
	if n.Kind == yaml.SequenceNode {
		s.list(n)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		s.field(n.Content[i], n.Content[i+1])
		if i > 0 {
			splitHead(above(n.Content[i-2], n.Content[i-1]), n.Content[i-1], n.Content[i])
		}
	}
	if last := lastOf(n); !endsInNothing(n) { // a second paragraph would belong to another node
		last.FootComment = oneParagraph(last.FootComment)
	}
}

func (s stabiliser) list(n *yaml.Node) {
	outermost, owner := !s.inLists, s.owner
	s.inLists = true
	for i, item := range n.Content {
		s.item(item)
		if isEmpty(item) {
			hoist(item, owner) // the parser gives it to the next node
		}
		if i > 0 {
			splitHead(n.Content[i-1], n.Content[i-1], item)
		}
		if outermost {
			raise(item)
		}
		if s.directly && i == 0 && isBlock(item) && hasAnchorOrTag(item) { // after two dashes in a row, the parser
			moveDown(item) // looks behind the anchor
		}
	}
}

// raise puts the comment above the first field of a list's item above the item, as kpt does with the
// items of lists that are in no other list. (Comments that kpt leaves where they are stay, and so does one
// that it has put in both places.)
func raise(item *yaml.Node) {
	if len(item.Content) == 0 || item.Content[0].Kind != yaml.ScalarNode {
		return
	}
	if first := item.Content[0]; first.HeadComment != item.HeadComment {
		moveAbove(item, &first.HeadComment)
	}
}

// field stabilises a key, its value, and their children.
func (s stabiliser) field(key, v *yaml.Node) {
	trimEnd(&key.HeadComment)
	moveBelow(key, &v.FootComment)
	trimEnd(&key.FootComment)
	if !isBlock(v) {
		moveAbove(key, &v.HeadComment)
		stabiliseFlow(v, key)
		stabiliseLine(key, v)
		return
	}
	moveDown(v)
	moveAbove(key, &v.LineComment)
	if hasAnchorOrTag(v) || strings.Contains(key.LineComment, "\n") {
		moveAbove(key, &key.LineComment)
	}
	s.directly, s.owner = false, key
	s.block(v)
	if last := above(key, v); last != key && (last.FootComment == "" || key != s.last) {
		moveBelow(last, &key.FootComment)
	}
}

// above is the node to which the parser gives the comment below a field: the last item of a list, which
// has the same column, else the field.
func above(key, v *yaml.Node) *yaml.Node {
	if isBlock(v) && v.Kind == yaml.SequenceNode && !isBlock(lastOf(v)) && !isEmpty(lastOf(v)) {
		return lastOf(v)
	}
	return key
}

// splitHead divides the paragraphs between two fields or items as the parser does after the printer has
// written them: the first belongs to the one before, if there is another.
func splitHead(before, value, at *yaml.Node) {
	const border = "\n\n"
	if before.FootComment == "" && (!strings.Contains(at.HeadComment, border) || endsOpen(value) || endsInNothing(value)) {
		return
	}
	all := strings.Trim(before.FootComment+border+at.HeadComment, "\n")
	before.FootComment, at.HeadComment, _ = strings.Cut(all, border)
}

// stabiliseLine stabilises the comments on the line of a field that has one line.
func stabiliseLine(key, v *yaml.Node) {
	switch {
	case isEmpty(v) && hasAnchorOrTag(v): // the parser gives its comment to the next field
		moveAbove(key, &key.LineComment)
		moveAbove(key, &v.LineComment)
	case isEmpty(v) && key.LineComment == "":
		key.LineComment, v.LineComment = v.LineComment, ""
	case isEmpty(v):
		moveAbove(key, &v.LineComment)
	case v.LineComment == "":
		key.LineComment, v.LineComment = "", key.LineComment
	default:
		moveAbove(key, &key.LineComment)
	}
	oneLine(key, &key.LineComment)
	oneLine(key, &v.LineComment)
}

// item stabilises the comments of an item.
func (s stabiliser) item(v *yaml.Node) {
	trimEnd(&v.HeadComment)
	trimEnd(&v.FootComment)
	if isBlock(v) {
		moveAbove(v, &v.FootComment)
		moveAbove(v, &v.LineComment)
		s.directly, s.owner = v.Kind == yaml.SequenceNode, v
		s.block(v)
		return
	}
	stabiliseFlow(v, v)
	if isEmpty(v) {
		moveAbove(v, &v.LineComment)
	}
	oneLine(v, &v.LineComment)
}
