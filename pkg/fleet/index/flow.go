package index

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// inFlow reports whether a text is JSON, or written like it.
func inFlow(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("---")) {
			continue
		}
		return line[0] == '{'
	}
	return false
}

// unfold has every value stand on a line of its own, in quotes where it would be something else without.
func unfold(n *yaml.Node) {
	if len(n.Content) > 0 {
		n.Style &^= yaml.FlowStyle
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagString && n.Style&yaml.TaggedStyle == 0 {
		n.Style = krm.StringNode(n.Value).Style
		if bytes.ContainsRune([]byte(n.Value), '\n') {
			n.Style = yaml.LiteralStyle
		}
	}
	for _, child := range n.Content {
		unfold(child)
	}
}
