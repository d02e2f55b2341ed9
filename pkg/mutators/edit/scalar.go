package edit

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Child is where the field key of at stands. A key that nobody would read to its end is cut short,
// so that the places of a great many fields below it do not fill memory.
func Child(at *field.Path, key string) *field.Path { return at.Child(short(key)) }

func short(key string) string {
	const most = 300 // more than Kubernetes allows for a prefix, a slash and a name
	if len(key) > most {
		key = strings.ToValidUTF8(key[:most], "") + "..."
	}
	return key
}

// PutScalar makes the scalar n what text is in YAML, as a person would type it: 3 becomes a number,
// unless n is quoted. Quotes and comments stay. It reports whether n became another value.
func PutScalar(n *yaml.Node, text string) bool {
	before, tag := n.Value, n.ShortTag()
	n.Value, n.Tag, n.Style = text, "", n.Style&^yaml.TaggedStyle
	if text == "" && n.Style&quoted == 0 {
		n.Style = yaml.DoubleQuotedStyle // nothing at all would be null
	}
	n.Tag = n.ShortTag()
	return n.Value != before || n.Tag != tag
}

var quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle

// NewScalar is text as a value that looks like it: 3 is a number. What a reader of YAML 1.1 alone
// takes for something else is text, in quotes.
func NewScalar(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	PutScalar(n, text)
	if n.ShortTag() == yaml.NodeTagString {
		return krm.StringNode(text)
	}
	return n
}

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
	if kept := n.Style & quoted; quotes == KeepQuotes && kept != 0 {
		fresh.Style = kept
	}
	n.Value, n.Tag, n.Style = fresh.Value, fresh.Tag, fresh.Style
}
