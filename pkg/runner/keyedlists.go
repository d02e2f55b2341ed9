package runner

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// copyByKey copies comments between the items of two lists that have the same key.
func (f *formatter) copyByKey(from, to *yaml.Node, at *place) error {
	schemaNode := f.lists.schemaAt(at)
	keys, ok := schemaNode.keys()
	if !ok {
		return nil
	}
	had, now := newKeyed(keys), newKeyed(keys)
	if !had.add(from) || !now.add(to) || !had.sameKeys(now) {
		return errNeedsKyaml
	}
	for _, key := range had.order {
		a, b := had.items[key], now.items[key]
		if b == nil {
			continue
		}
		if err := f.copyTree(a, b, &place{up: at, item: true, from: a, to: b}); err != nil {
			return err
		}
	}
	return nil
}

// keyed holds the items of a list by key. If two have the same key, the first counts.
type keyed struct {
	keys  []string
	has   []bool // which of the keys the items have; it is the same for all items
	order []string
	items map[string]*yaml.Node
}

func newKeyed(keys []string) *keyed {
	return &keyed{keys: keys, has: make([]bool, len(keys)), items: map[string]*yaml.Node{}}
}

// sameKeys reports whether the items of both have the same keys.
func (k *keyed) sameKeys(other *keyed) bool {
	for i := range k.has {
		if k.has[i] != other.has[i] {
			return false
		}
	}
	return true
}

// add adds the items of a list. It reports false when they are not all of the same kind.
func (k *keyed) add(list *yaml.Node) bool {
	for i, item := range list.Content {
		key, ok := k.keyOf(item, i == 0)
		if !ok {
			return false
		}
		if k.items[key] == nil {
			k.order = append(k.order, key)
			k.items[key] = item
		}
	}
	return true
}

// keyOf is the text that identifies item; false when the items do not all have the same
// keys.
func (k *keyed) keyOf(item *yaml.Node, first bool) (string, bool) {
	if len(k.keys) == 0 {
		return item.Value, isText(item)
	}
	if !krm.IsMap(item) {
		return "", false
	}
	var key strings.Builder
	for i, name := range k.keys {
		v := fieldOf(item, name)
		if first {
			k.has[i] = v != nil
		}
		if v != nil && !isText(v) || k.has[i] != (v != nil) {
			return "", false
		}
		if v != nil {
			key.WriteString(v.Value)
		}
		key.WriteByte(0) // which YAML cannot hold
	}
	return key.String(), key.Len() > len(k.keys)
}

func isText(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && !isNull(n) && n.Value != ""
}
