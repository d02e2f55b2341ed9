package manifest

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// isBareWord reports whether n is a yes, no, on or off without quotes: text to YAML 1.2 and so to
// functions, a boolean to YAML 1.1 and so to GitOps agents and API servers.
func isBareWord(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == 0 && n.ShortTag() == yaml.NodeTagString && krm.StringNode(n.Value).Style != 0
}

// QuoteHead puts the bare words of an object's type and metadata into quotes: there is nothing but
// text there, and a hub refuses what it reads as something else.
func QuoteHead(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if isHead(root.Content[i].Value) {
			quoteWords(root.Content[i+1])
		}
	}
}

func isHead(field string) bool {
	return slices.Contains([]string{"apiVersion", "kind", "metadata"}, field)
}

func quoteWords(n *yaml.Node) {
	if isBareWord(n) {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		quoteWords(child)
	}
}

// EachBareWord calls report for every bare word below n, which stands at at.
func EachBareWord(n *yaml.Node, at *field.Path, report func(at *field.Path, word string)) {
	if isBareWord(n) {
		report(at, n.Value)
	}
	for i, child := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			EachBareWord(child, at.Index(i), report)
		case i%2 == 1:
			EachBareWord(child, below(at, n.Content[i-1].Value), report)
		}
	}
}

func below(at *field.Path, key string) *field.Path {
	if at == nil {
		return field.NewPath(key)
	}
	return at.Child(key)
}
