package bundling

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// isBareWord reports whether n is a yes, no, on or off without quotes: text to YAML 1.2 and so to
// functions, a boolean to YAML 1.1 and so to GitOps agents and API servers.
func isBareWord(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == 0 && n.ShortTag() == yaml.NodeTagString && krm.StringNode(n.Value).Style != 0
}

// quoteHead puts the bare words of an object's type and metadata into quotes: there is nothing but
// text there, and a hub refuses what it reads as something else.
func quoteHead(root *yaml.Node) {
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

// refuseWords reports bare words elsewhere. Only a schema knows what their author meant, and a work must
// not be one thing to us and another to clusters.
func (b *bundler) refuseWords(o *krm.Object, n *yaml.Node, at *field.Path) {
	if isBareWord(n) {
		b.report(sdk.Error, o, at, "%s without quotes is text to functions and a boolean to clusters; put it into quotes, or write true or false",
			n.Value)
	}
	for i, child := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			b.refuseWords(o, child, at.Index(i))
		case i%2 == 1:
			b.refuseWords(o, child, below(at, n.Content[i-1].Value))
		}
	}
}

func below(at *field.Path, key string) *field.Path {
	if at == nil {
		return field.NewPath(key)
	}
	return at.Child(key)
}
