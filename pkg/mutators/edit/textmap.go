package edit

import (
	"errors"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// TextMap is labels or annotations that are put into the maps of many objects, concurrently, within a common budget.
type TextMap struct {
	entries map[string]string
	keys    []string // in their order
	quotes  Quotes
	budget  *Shared
}

// NewTextMap is entries with the budget of one run.
func NewTextMap(entries map[string]string, quotes Quotes) *TextMap {
	return &TextMap{entries: entries, keys: slices.Sorted(maps.Keys(entries)), quotes: quotes, budget: new(Shared)}
}

// Set sets every entry in the map m, new ones at its end in the order of their keys.
func (t *TextMap) Set(m *yaml.RNode) error { return t.put(m, true) }

// Replace sets those entries whose keys the map m has already.
func (t *TextMap) Replace(m *yaml.RNode) error { return t.put(m, false) }

func (t *TextMap) put(m *yaml.RNode, add bool) error {
	n := m.YNode()
	if krm.IsNull(n) && !add {
		return nil
	}
	if !krm.IsMap(n) {
		return errors.New("want a map of text to text")
	}
	values := make(map[string]*yaml.Node, len(n.Content)/2)
	for key, value := range krm.Fields(n) {
		values[key.Value] = krm.Deref(value)
	}
	for _, key := range t.keys {
		value := values[key]
		switch {
		case value == nil && add:
			if err := t.budget.Spend(len(key) + len(t.entries[key]) + entrySize); err != nil {
				return err
			}
			n.Content = append(n.Content, krm.StringNode(key), krm.StringNode(t.entries[key]))
		case value == nil:
		case value.Kind != yaml.ScalarNode:
			return Fault("["+short(key)+"]", "want text")
		default:
			if err := t.replace(value, t.entries[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// entrySize is about how many bytes the nodes of a new entry take.
const entrySize = 400

func (t *TextMap) replace(n *yaml.Node, text string) error {
	if more := len(text) - len(n.Value); more > 0 {
		if err := t.budget.Spend(more); err != nil {
			return err
		}
	}
	SetText(n, text, t.quotes)
	return nil
}
