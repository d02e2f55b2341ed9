package krm

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Aliased is how many bytes the aliases in objects stood for when they were read, counted as for Limits.
func Aliased(objects []*Object) (total int) {
	for _, o := range objects {
		total += o.aliased
	}
	return total
}

// ExpandAliases writes every alias of o out as a copy of what it stands for and drops the anchors,
// so that a part of o can be removed or moved without leaving an alias that points nowhere. It
// changes o, whose caller must own it, and reports whether there was anything to do.
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

// written is a copy of what alias stands for, with the comments that stand at the alias.
func written(alias *yaml.Node) *yaml.Node {
	n := CopyNode(alias.Alias)
	n.HeadComment, n.LineComment, n.FootComment = alias.HeadComment, alias.LineComment, alias.FootComment
	return n
}

// mayHoldAlias reports whether an alias may be in text: a "*" where a value begins.
func mayHoldAlias(text []byte) bool {
	for from := 0; ; from++ {
		i := bytes.IndexByte(text[from:], '*')
		if i < 0 {
			return false
		}
		if from += i; from == 0 || strings.IndexByte(" \t\r\n[{,:", text[from-1]) >= 0 {
			return true
		}
	}
}
