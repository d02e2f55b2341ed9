package krm

import (
	"iter"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// Deref follows an alias to the node it stands for.
func Deref(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// IsMap reports whether a node is a map.
func IsMap(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

// IsList reports whether a node is a list.
func IsList(n *yaml.Node) bool { return n != nil && n.Kind == yaml.SequenceNode }

// IsNull reports whether a node exists and is null.
func IsNull(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagNull
}

// Lookup returns the node at path below n, following aliases, or nil when there is none. A node
// reached through an alias is in several places: an edit changes them all.
func Lookup(n *yaml.Node, path ...string) *yaml.Node {
	for _, key := range path {
		if n = Deref(n); !IsMap(n) {
			return nil
		}
		i := fieldIndex(n, key)
		if i < 0 {
			return nil
		}
		n = n.Content[i+1]
	}
	return Deref(n)
}

// Text is the text of the scalar at path below n; "" when there is none.
func Text(n *yaml.Node, path ...string) string {
	if n = Lookup(n, path...); n != nil {
		return n.Value
	}
	return ""
}

// FieldNames are the names of the fields of a map, in its order; none for anything else.
func FieldNames(n *yaml.Node) (names []string) {
	for key := range Fields(Deref(n)) {
		names = append(names, key.Value)
	}
	return names
}

// Fields are the keys and values of a map, in its order; none for anything else. A value may be an alias.
func Fields(m *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; IsMap(m) && i+1 < len(m.Content) && yield(m.Content[i], m.Content[i+1]); i += 2 {
		}
	}
}

// fieldIndex is the index of key in the Content of mapping m, -1 when absent.
func fieldIndex(m *yaml.Node, key string) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key && m.Content[i].Kind == yaml.ScalarNode {
			return i
		}
	}
	return -1
}

// SetField sets key of mapping m to value, in place when the key exists, else at the end.
func SetField(m *yaml.Node, key string, value *yaml.Node) {
	if i := fieldIndex(m, key); i >= 0 {
		m.Content[i+1] = value
		return
	}
	m.Content = append(m.Content, StringNode(key), value)
}

// RemoveField removes key from mapping m and reports whether it was there.
func RemoveField(m *yaml.Node, key string) bool {
	i := fieldIndex(m, key)
	if i < 0 {
		return false
	}
	m.Content = slices.Delete(m.Content, i, i+2)
	return true
}

// StringNode is a string scalar; the writer quotes it when a reader of YAML 1.2, or of YAML 1.1 such as
// an API server, would read it as another type.
func StringNode(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: stringStyle(s)}
}

// stringStyle is double quotes for words that YAML 1.1 reads as a boolean, number or null, and for lines
// that begin with a tab, which the writer would write as an invalid block.
func stringStyle(s string) yaml.Style {
	switch {
	case strings.Contains(s, "\n") && strings.HasPrefix(strings.TrimLeft(s, "\n"), "\t"):
		return yaml.DoubleQuotedStyle
	case strings.ContainsAny(s, " \t\n") || isCertainlyText(s):
		return 0
	case encode.IsDecimal(s) || yaml.IsValueNonString(s): // runs a whole parser for one word
		return yaml.DoubleQuotedStyle
	}
	return 0
}

// isCertainlyText reports whether s is text in YAML 1.1, as far as can be seen without a parser.
func isCertainlyText(s string) bool {
	if s == "" || strings.IndexByte("0123456789+-.~=<yYnNoOtTfF", s[0]) < 0 {
		return true
	}
	letters, printable := true, true
	for i := range len(s) {
		c := s[i]
		letters = letters && ('a' <= c|0x20 && c|0x20 <= 'z')
		printable = printable && ' ' < c && c <= '~'
	}
	const longestWord = len("false")
	switch {
	case letters:
		return !slices.Contains(wordsOfYAML11, strings.ToLower(s))
	case len(s) <= longestWord || !printable || s[len(s)-1] == ':':
		return false
	}
	return strings.IndexByte("yYnNoOtTfF", s[0]) >= 0
}

// wordsOfYAML11 are the words that are a boolean or null in one of their spellings.
var wordsOfYAML11 = []string{"y", "yes", "on", "true", "n", "no", "off", "false", "null"}

// MapNode is a mapping of the given keys and values, in that order.
func MapNode(keysAndValues ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Content: keysAndValues}
}
