package runner

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// copyByKey copies comments between the items of two lists that have the same key.
func (f *form) copyByKey(from, to *yaml.Node, at *place) error {
	shape := f.lists.shapeAt(at)
	keys, ok := shape.keys()
	if !ok {
		return nil
	}
	had, now := newKeyed(keys), newKeyed(keys)
	if !had.add(from) || !now.add(to) || !had.alike(now) {
		return errIntricate
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

// keyed is the items of a list by key. Where two have the same, the first counts.
type keyed struct {
	keys  []string
	has   []bool // which of the keys the items have; all have the same
	order []string
	items map[string]*yaml.Node
}

func newKeyed(keys []string) *keyed {
	return &keyed{keys: keys, has: make([]bool, len(keys)), items: map[string]*yaml.Node{}}
}

// alike reports whether the items of both have the same keys.
func (k *keyed) alike(other *keyed) bool {
	for i := range k.has {
		if k.has[i] != other.has[i] {
			return false
		}
	}
	return true
}

// add adds the items of a list, and reports whether it could: all are of the same sort.
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

// keyOf is what tells item from others; false when that is not one and the same sort of thing for
// all items.
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
		key.WriteByte(0) // which no YAML holds
	}
	return key.String(), key.Len() > len(k.keys)
}

func isText(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && !isNull(n) && n.Value != ""
}
