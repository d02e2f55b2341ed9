package edit

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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

// SetEntries sets every one of entries in the map m, new ones at its end in the order of their keys.
func SetEntries(m *yaml.RNode, entries map[string]string, quotes Quotes) error {
	return setEntries(m, entries, quotes, true)
}

// ReplaceEntries sets those of entries whose keys the map m has already.
func ReplaceEntries(m *yaml.RNode, entries map[string]string, quotes Quotes) error {
	return setEntries(m, entries, quotes, false)
}

func setEntries(m *yaml.RNode, entries map[string]string, quotes Quotes, add bool) error {
	n := m.YNode()
	if n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagNull && !add {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return errors.New("want a map of text to text")
	}
	values := make(map[string]*yaml.Node, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		values[n.Content[i].Value] = krm.Deref(n.Content[i+1])
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		value := values[key]
		switch {
		case value == nil && add:
			n.Content = append(n.Content, krm.StringNode(key), krm.StringNode(entries[key]))
		case value == nil:
		case value.Kind != yaml.ScalarNode:
			return fmt.Errorf("want text at %q", key)
		default:
			SetText(value, entries[key], quotes)
		}
	}
	return nil
}
