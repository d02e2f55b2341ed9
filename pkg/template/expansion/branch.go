package expansion

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// branch is a string with a template, or a node that contains one.
type branch struct {
	node  *yaml.Node
	leaf  int       // index of the string among the leaves; meaningless when there are children
	at    []int     // the indices of the children in node.Content
	child []*branch // never empty in a branch that is no leaf
}

// grow finds the templated strings at and below n, mappings in key order and lists by index, and
// returns their branch, nil when there are none. path is that of n in steps, which are joined for
// templates only: joined for every value, one long key above a long list would take too much memory.
func (t *Template) grow(n *yaml.Node, path ...string) *branch {
	b := &branch{node: n}
	switch n.Kind {
	case yaml.MappingNode:
		for _, i := range keysInOrder(n) {
			b.add(i+1, t.grow(n.Content[i+1], append(path, ".", n.Content[i].Value)...))
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			b.add(i, t.grow(e, append(path, "[", strconv.Itoa(i), "]")...))
		}
	case yaml.ScalarNode:
		if isText(n) && strings.Contains(n.Value, "{{") && !t.tooLarge() {
			l := &leaf{name: strings.Join(path, ""), text: n.Value}
			b.leaf, t.leaves, t.size = len(t.leaves), append(t.leaves, l), t.size+len(l.name)+len(l.text)
			return b
		}
	}
	if len(b.child) == 0 {
		return nil
	}
	return b
}

func (b *branch) add(at int, child *branch) {
	if child != nil {
		b.at, b.child = append(b.at, at), append(b.child, child)
	}
}

// keysInOrder lists the positions of a mapping's keys in m.Content, sorted by key.
func keysInOrder(m *yaml.Node) []int {
	keys := make([]int, 0, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		keys = append(keys, i)
	}
	slices.SortFunc(keys, func(a, b int) int { return strings.Compare(m.Content[a].Value, m.Content[b].Value) })
	return keys
}

// build copies the branch with the given strings in place of its leaves. Nodes without a leaf are shared
// with the original.
func (b *branch) build(values []string) *yaml.Node {
	c := *b.node
	if len(b.child) == 0 {
		c.Value, c.Tag = values[b.leaf], yaml.NodeTagString
		c.Style = styleFor(c.Style, c.Value)
		return &c
	}
	c.Content = slices.Clone(b.node.Content)
	for i, child := range b.child {
		c.Content[b.at[i]] = child.build(values)
	}
	return &c
}

// Places are the paths of the templates, in the order of Fill: indices of Content from the object's
// mapping down. The object must have had no aliases.
func (t *Template) Places() [][]int {
	places := make([][]int, len(t.leaves))
	t.root.place(nil, places)
	return places
}

func (b *branch) place(way []int, places [][]int) {
	if len(b.child) == 0 {
		places[b.leaf] = slices.Clone(way)
		return
	}
	for i, child := range b.child {
		child.place(append(way, b.at[i]), places)
	}
}

// styleFor keeps the style of a string when the new value is readable and reads back unchanged in it, and
// uses double quotes otherwise.
func styleFor(style yaml.Style, value string) yaml.Style {
	style &^= yaml.TaggedStyle
	block := style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	switch lines := strings.Contains(value, "\n"); {
	case strings.ContainsFunc(value, needsEscape):
		return yaml.DoubleQuotedStyle
	case lines && block && strings.TrimLeft(value, " \n") == value:
		return yaml.LiteralStyle
	case lines:
		return yaml.DoubleQuotedStyle
	case block:
		return 0 // no block for one line; the writer quotes if necessary
	}
	return style
}

// needsEscape reports whether r needs double quotes; a tab does because it is invisible.
func needsEscape(r rune) bool { return r != '\n' && (unicode.IsControl(r) || !unicode.IsPrint(r)) }
