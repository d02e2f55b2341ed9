package edit

import (
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Child is the path of the field key below at. A very long key is cut, so that the paths of many fields below it do not fill
// memory.
func Child(at *field.Path, key string) *field.Path { return at.Child(short(key)) }

func short(key string) string {
	const most = 300 // more than Kubernetes allows for a prefix, a slash and a name
	if len(key) > most {
		key = strings.ToValidUTF8(key[:most], "") + "..."
	}
	return key
}

// PutScalar sets the scalar n to the value that text has in YAML: 3 becomes a number, unless n is quoted. Quotes and comments
// stay. It reports whether the value changed.
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

// NewScalar is the value that text has in YAML: 3 is a number. Text that only YAML 1.1 reads as another type is quoted.
func NewScalar(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	PutScalar(n, text)
	if n.ShortTag() == yaml.NodeTagString {
		return krm.StringNode(text)
	}
	return n
}

// IsOneLine reports whether text can be a comment, by every line break of YAML.
func IsOneLine(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && r != ' ' && !unicode.IsPrint(r) })
}

// Quotes says whether a text keeps its quotes when it is set to another one.
type Quotes bool

// The catalogue's functions differ: those on kustomize's filters keep quotes, those on the SDK quote the new text only if
// necessary.
const (
	KeepQuotes Quotes = true
	DropQuotes Quotes = false
)

// SetText sets the scalar n to text and keeps its comments. It does not touch a scalar that has this text already.
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
