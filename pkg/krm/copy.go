package krm

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// CopyNode copies n and everything below it. Aliases in the copy point into the copy.
func CopyNode(n *yaml.Node) *yaml.Node { return (&copier{alloc: heap{}}).copy(n) }

// copier makes one copy.
type copier struct {
	alloc   allocator
	anchors map[*yaml.Node]*yaml.Node // copies by their originals
}

// allocator allocates copies.
type allocator interface {
	node() *yaml.Node
	list(length int) []*yaml.Node
}

func (c *copier) copy(n *yaml.Node) *yaml.Node {
	to := c.alloc.node()
	*to = *n
	if n.Anchor != "" {
		if c.anchors == nil {
			c.anchors = map[*yaml.Node]*yaml.Node{}
		}
		c.anchors[n] = to
	}
	if target, ok := c.anchors[n.Alias]; ok { // an anchor comes before its aliases
		to.Alias = target
	}
	if n.Content != nil {
		to.Content = c.alloc.list(len(n.Content))
		for i := range n.Content {
			to.Content[i] = c.copy(n.Content[i])
		}
	}
	return to
}

// heap allocates from the heap of Go.
type heap struct{}

func (heap) node() *yaml.Node             { return new(yaml.Node) }
func (heap) list(length int) []*yaml.Node { return make([]*yaml.Node, length) }

// SelfContained returns n itself when it can be written as it is: every alias in it follows its
// anchor. Otherwise (n was cut out of a larger document, or edited) it returns a copy in
// which every alias is written out.
func SelfContained(n *yaml.Node) *yaml.Node {
	anchors := map[string]*yaml.Node{}
	var holds func(*yaml.Node) bool
	holds = func(n *yaml.Node) bool {
		if n.Kind == yaml.AliasNode {
			return anchors[n.Value] == n.Alias
		}
		if n.Anchor != "" {
			anchors[n.Anchor] = n
		}
		return !slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return !holds(c) })
	}
	if holds(n) {
		return n
	}
	return expanded(n)
}

// expanded is a copy of n without aliases and anchors.
func expanded(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = written(n)
	} else {
		n = CopyNode(n)
	}
	expandAliases(n)
	return n
}

// SameNode reports whether a and b are written as the same text. Line and column are not text.
func SameNode(a, b *yaml.Node) bool {
	return a == b || SameButContent(a, b) && slices.EqualFunc(a.Content, b.Content, SameNode)
}

// SameButContent is SameNode without a comparison of the children.
func SameButContent(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Style == b.Style && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		a.HeadComment == b.HeadComment && a.LineComment == b.LineComment && a.FootComment == b.FootComment
}

// Equivalent reports whether a and b hold the same data. Comments, style and the order of keys may
// differ, the order of lists may not. Another spelling of a number or null (0x10 for 16, ~ for null)
// counts as a difference, as in kpt.
func Equivalent(a, b *yaml.Node) bool {
	a, b = Deref(a), Deref(b)
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return a.Value == b.Value && a.ShortTag() == b.ShortTag()
	case yaml.MappingNode:
		if len(a.Content) != len(b.Content) {
			return false
		}
		for key, value := range Fields(a) {
			other := fieldIndex(b, key.Value)
			if other < 0 || !Equivalent(value, b.Content[other+1]) {
				return false
			}
		}
		return true
	}
	return slices.EqualFunc(a.Content, b.Content, Equivalent)
}

// Aliased is how many bytes all aliases in objects had as copies when they were read, counted as for Limits.
func Aliased(objects []*Object) (total int) {
	for _, o := range objects {
		total += o.aliased
	}
	return total
}

// ExpandAliases replaces every alias of o by a copy of its node and removes the anchors, so that a part
// of o can be removed or moved without leaving an alias without anchor. It changes o, whose caller must
// own it, and reports whether there was an alias or anchor.
func (o *Object) ExpandAliases() bool { return expandAliases(o.Node()) }

func expandAliases(n *yaml.Node) bool {
	found := n.Anchor != ""
	n.Anchor = ""
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			c, found = written(c), true
			n.Content[i] = c
		}
		found = expandAliases(c) || found
	}
	return found
}

// written is a copy of the node of alias, with the comments of the alias.
func written(alias *yaml.Node) *yaml.Node {
	n := CopyNode(alias.Alias)
	n.HeadComment, n.LineComment, n.FootComment = alias.HeadComment, alias.LineComment, alias.FootComment
	return n
}
