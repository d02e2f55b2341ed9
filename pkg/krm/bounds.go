package krm

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// checker walks a document once and stops at the first node beyond a limit.
type checker struct {
	limits Limits
	known  map[*yaml.Node]extent // anchored nodes that were walked
	open   map[*yaml.Node]bool   // anchored nodes being walked: meeting one again is a cycle
	large  *yaml.Node            // the first alias with which there are too many bytes
	copied int                   // bytes of all aliases so far
	loose  bool                  // keys are not checked
	node   *yaml.Node
	reason string
}

// extent is the size of a node, aliases counted as copies.
type extent struct {
	nodes   int // itself included
	height  int // levels below it
	bytes   int // of its text, estimated; counted below anchors only
	lines   int // of its text, likewise
	aliased int // the part of bytes that is in aliases
}

// document walks all of doc and returns its extent. c.node is the first node beyond a limit, if there is one.
func (c *checker) document(doc *yaml.Node) extent {
	e, l := c.walk(doc, 0), c.limits
	switch {
	case c.node != nil:
	case e.nodes > l.Nodes:
		c.fail(doc.Content[0], fmt.Sprintf("holds %d values once aliases are followed, more than the %d allowed", e.nodes, l.Nodes))
	case e.aliased > l.Aliased:
		c.fail(c.large, fmt.Sprintf("with this alias, aliases stand for more than the %d bytes allowed; write out what they stand for",
			l.Aliased))
	}
	return e
}

func (c *checker) fail(n *yaml.Node, reason string) extent {
	if c.node == nil {
		c.node, c.reason = n, reason
	}
	return extent{}
}

// walk returns the extent of n. It visits each node once: the extent of an anchor is kept, so that nested
// aliases are counted without a walk.
func (c *checker) walk(n *yaml.Node, depth int) extent {
	switch {
	case c.node != nil:
		return extent{}
	case depth > c.limits.Depth:
		return c.fail(n, fmt.Sprintf("nested deeper than %d levels", c.limits.Depth))
	case n.Kind == yaml.AliasNode:
		return c.alias(n, depth)
	}
	if n.Anchor != "" {
		if c.known == nil {
			c.known, c.open = map[*yaml.Node]extent{}, map[*yaml.Node]bool{}
		}
		c.open[n] = true
		defer delete(c.open, n)
	}
	if n.Kind == yaml.MappingNode && !c.loose {
		c.keys(n)
	}
	total := extent{nodes: 1}
	if len(c.open) > 0 {
		total.bytes, total.lines = ownBytes(n), ownLines(n)
	}
	for _, child := range n.Content {
		total.add(c.walk(child, depth+1), c.limits)
	}
	if n.Anchor != "" {
		c.known[n] = total
	}
	return total
}

// add adds a child to e. Counts stop at twice the limit, so that they cannot overflow.
func (e *extent) add(child extent, l Limits) {
	bytes := 2 * max(l.Aliased, l.Bytes)
	e.nodes = min(e.nodes+child.nodes, 2*l.Nodes)
	e.bytes = min(e.bytes+child.bytes, bytes)
	e.lines = min(e.lines+child.lines, bytes)
	e.aliased = min(e.aliased+child.aliased, bytes)
	e.height = max(e.height, child.height+1)
}

func (c *checker) alias(n *yaml.Node, depth int) extent {
	if c.open[n.Alias] {
		return c.fail(n, fmt.Sprintf("alias %q stands inside what it refers to", "*"+n.Value))
	}
	e := c.known[n.Alias]
	if depth+e.height > c.limits.Depth {
		return c.fail(n, fmt.Sprintf("nested deeper than %d levels once aliases are followed", c.limits.Depth))
	}
	e.bytes += 2 * depth * e.lines // each line is indented as deep as the alias stands
	e.aliased = e.bytes
	if c.copied += e.bytes; c.copied > c.limits.Aliased && c.large == nil {
		c.large = n
	}
	return e
}

// ownBytes is about how many bytes n takes without its children: its text, and the signs around a value.
func ownBytes(n *yaml.Node) int {
	const around = 16
	return around + len(n.Value) + len(n.Tag) + len(n.HeadComment) + len(n.LineComment) + len(n.FootComment)
}

// ownLines is how many lines n takes at most without its children.
func ownLines(n *yaml.Node) int {
	lines := 1 + strings.Count(n.Value, "\n")
	for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		if text != "" {
			lines += strings.Count(text, "\n") + 1
		}
	}
	return lines
}

// keys refuses keys that are not plain scalars and keys that occur twice.
func (c *checker) keys(m *yaml.Node) {
	seen := make(map[string]int, len(m.Content)/2)
	for k := range Fields(m) {
		first, twice := seen[k.Value]
		switch {
		case k.Kind != yaml.ScalarNode:
			c.fail(k, "a key that is not a plain value")
		case k.ShortTag() == "!!merge":
			c.fail(k, "the merge key \"<<\" is not supported; write the fields out")
		case IsNull(k):
			c.fail(k, "a field without a name")
		case twice && k.Line == first:
			c.fail(k, fmt.Sprintf("field %q is given twice in this line; remove one", k.Value))
		case twice:
			c.fail(k, fmt.Sprintf("field %q is given twice (first %d lines above); remove one", k.Value, k.Line-first))
		}
		seen[k.Value] = k.Line
	}
}
