package edit

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Quotes says what becomes of the quotes of a text that is set to another.
type Quotes bool

// The catalogue's functions differ: those on kustomize's filters keep quotes, those on the SDK
// write the new text with as few as it needs.
const (
	KeepQuotes Quotes = true
	DropQuotes Quotes = false
)

// SetText makes the scalar n the given text and keeps its comments. A text that is there already is
// not touched.
func SetText(n *yaml.Node, text string, quotes Quotes) {
	if n.Value == text && n.ShortTag() == yaml.NodeTagString {
		return
	}
	fresh := krm.StringNode(text)
	quoted := yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
	if kept := n.Style & quoted; quotes == KeepQuotes && kept != 0 {
		fresh.Style = kept
	}
	n.Value, n.Tag, n.Style = fresh.Value, fresh.Tag, fresh.Style
}
