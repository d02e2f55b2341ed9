package edit

import (
	"iter"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// RestoreForm returns before itself when after, an edited copy of it, holds the same data and comments. Otherwise it returns the
// data of after with the comments, key order and style of before in all fields that both have: filters create new nodes
// and lose them. The caller must not use after any more.
func RestoreForm(before, after *krm.Object) *krm.Object {
	if krm.Same(before, after) {
		return before
	}
	gather(after.Node())
	fn.KeepForm(before.Node(), after.Node())
	if sameData(before.Node(), after.Node()) && slices.Equal(before.Comments(), after.Comments()) {
		return before
	}
	keepStyle(before.Node(), after.Node())
	root := share(before.Node(), after.Node())
	if root == before.Node() {
		return before
	}
	return after.WithRoot(root)
}

// sameData is krm.Equivalent for nodes whose keys KeepForm has put in the same order. It visits each node once.
func sameData(a, b *yaml.Node) bool {
	a, b = krm.Deref(a), krm.Deref(b)
	if a.Kind == yaml.ScalarNode && b.Kind == yaml.ScalarNode {
		return a.Value == b.Value && a.ShortTag() == b.ShortTag()
	}
	return a.Kind == b.Kind && slices.EqualFunc(a.Content, b.Content, sameData)
}

// keepStyle gives values that are the same in both their old style: quotes, blocks, braces.
func keepStyle(before, after *yaml.Node) {
	before = krm.Deref(before)
	if before.Kind != after.Kind {
		return
	}
	switch after.Kind {
	case yaml.ScalarNode:
		if before.Value == after.Value && before.ShortTag() == after.ShortTag() {
			after.Style, after.Tag = before.Style, before.Tag
		}
		after.Tag = after.ShortTag() // filters leave it out, and the writer is faster with it
	case yaml.MappingNode:
		keepShape(before, after)
		keepFieldStyles(before, after)
	case yaml.SequenceNode:
		keepShape(before, after)
		for i := range min(len(before.Content), len(after.Content)) {
			keepStyle(before.Content[i], after.Content[i])
		}
	}
}

// keepShape keeps braces and brackets, except those of a map or list that was empty.
func keepShape(before, after *yaml.Node) {
	if len(before.Content) > 0 || len(after.Content) == 0 {
		after.Style = before.Style
		return
	}
	after.Style &^= yaml.FlowStyle
}

// keepFieldStyles is keepStyle for the fields that both maps have.
func keepFieldStyles(before, after *yaml.Node) {
	for i, at := range fieldPairs(before, after) {
		if at < 0 {
			return
		}
		keepStyle(before.Content[at], after.Content[i])
		keepStyle(before.Content[at+1], after.Content[i+1])
		keepOwn(before.Content[at], before.Content[at+1], after.Content[i], after.Content[i+1])
		keepComment(after.Content[i], after.Content[i+1])
	}
}

// fieldPairs are the places of the fields of a map that was edited, each with its place in the map before; -1 for a new
// field. The fields are in their order before, without removed ones; new fields come last.
func fieldPairs(before, after *yaml.Node) iter.Seq2[int, int] {
	return func(yield func(i, at int) bool) {
		at := 0
		for i := 0; i+1 < len(after.Content); i += 2 {
			for at+1 < len(before.Content) && before.Content[at].Value != after.Content[i].Value {
				at += 2
			}
			found := at
			if at+1 >= len(before.Content) {
				found = -1
			}
			if !yield(i, found) {
				return
			}
			at += 2 // past the end once a field is new
		}
	}
}

// gather moves the comment behind a field with its value on the same line to the value, where KeepForm expects it. The parser
// gives the comment to the key if the value is empty.
func gather(n *yaml.Node) {
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && c.Kind == yaml.ScalarNode && c.LineComment == "" {
			if key := n.Content[i-1]; key.LineComment != "" {
				c.LineComment, key.LineComment = key.LineComment, ""
			}
		}
		gather(c)
	}
}

// keepOwn removes the old comment of a key again, if the value has a comment of its own: before, there was one comment,
// behind the key.
func keepOwn(keyBefore, before, key, value *yaml.Node) {
	if value.Kind == yaml.ScalarNode && value.LineComment != "" && before.LineComment == "" && key.LineComment == keyBefore.LineComment {
		key.LineComment = ""
	}
}

// keepComment moves the comment of a key to its value if the value is in braces or brackets on the same line: the writer
// drops a comment between the two.
func keepComment(key, value *yaml.Node) {
	if value.Style&yaml.FlowStyle != 0 && value.Kind != yaml.ScalarNode && value.LineComment == "" {
		key.LineComment, value.LineComment = "", key.LineComment
	}
}
