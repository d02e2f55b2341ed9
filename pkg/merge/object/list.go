package object

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
)

// Keying identifies the items of a list: by some keys and their values, or, without keys, by the value itself,
// as in a set.
type Keying struct {
	Keys          []string
	Values        func(item *yaml.Node) []string
	Ordered       bool // the order of items matters
	hasReferences bool // the order matters if an item refers to another
	atomic        bool // part of an item is useless: after a conflict all of it is kept or nothing
}

// list merges two lists item by item if t says how, otherwise as one value.
func (m *Merger) list(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	by := m.KeysFor(t, o, u, l)
	if by == nil {
		return m.mergeWhole(o, u, l)
	}
	return m.items(t.Items(), by, ifList(o), u, l)
}

// KeysFor is how t identifies the items of these lists; nil when it does not say, and when a list has two items
// of one name or an item without a name.
func (m *Merger) KeysFor(t *schema.Type, lists ...*yaml.Node) *Keying {
	if by := m.keyings[t]; by != nil {
		return by
	}
	names, ok := t.Merges()
	if !ok {
		return nil
	}
	by := &Keying{Values: func(n *yaml.Node) []string { return []string{n.Value} }}
	field := ""
	if len(m.At) > 0 {
		field = m.At[len(m.At)-1]
	}
	if len(names) > 0 {
		used := usedKeys(names, lists)
		by = &Keying{Keys: used, Ordered: field == "initContainers", hasReferences: field == "env",
			Values: func(n *yaml.Node) []string { return valuesOf(n, used) }}
	}
	for _, list := range lists {
		if list != nil && (list.Kind != yaml.SequenceNode || !by.identifiesAll(list)) {
			return nil
		}
	}
	return by
}

// usedKeys are those of names that any item has.
func usedKeys(names []string, lists []*yaml.Node) (used []string) {
	for _, name := range names {
		if anyItemHas(name, lists) {
			used = append(used, name)
		}
	}
	return used
}

func anyItemHas(name string, lists []*yaml.Node) bool {
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, n := range list.Content {
			if key, _ := IndexFields(ifMap(n)).Field(name, 0); key != nil {
				return true
			}
		}
	}
	return false
}

// valuesOf are the values of keys in an item, nil when it is no map or has none of them. A port without
// protocol is TCP.
func valuesOf(n *yaml.Node, keys []string) []string {
	in, found := IndexFields(ifMap(n)), false
	out := make([]string, len(keys))
	for i, key := range keys {
		_, v := in.Field(key, i)
		switch {
		case v != nil && v.Kind == yaml.ScalarNode && !krm.IsNull(v):
			out[i], found = v.Value, true
		case v != nil:
			return nil
		case key == "protocol":
			out[i] = "TCP"
		}
	}
	if !found {
		return nil
	}
	return out
}

// identifiesAll reports whether every item of list has its own name.
func (k *Keying) identifiesAll(list *yaml.Node) bool {
	seen := make(map[string]bool, len(list.Content))
	for _, n := range list.Content {
		if len(k.Keys) == 0 && n.Kind != yaml.ScalarNode {
			return false
		}
		values := k.Values(n)
		if name := strings.Join(values, "\x00"); values == nil || seen[name] {
			return false
		} else {
			seen[name] = true
		}
	}
	return true
}

// name is one text for the values of an item's keys.
func (k *Keying) name(n *yaml.Node) string { return strings.Join(k.Values(n), "\x00") }

// ByName indexes the items of a list.
func (k *Keying) ByName(list *yaml.Node) map[string]*yaml.Node {
	if list == nil {
		return nil
	}
	out := make(map[string]*yaml.Node, len(list.Content))
	for _, n := range list.Content {
		out[k.name(n)] = n
	}
	return out
}

// items merges two lists into l: its items in their order, then those that only u has. It returns nil if no item is left of two
// lists that had some.
func (m *Merger) items(t *schema.Type, by *Keying, o, u, l *yaml.Node) *yaml.Node {
	inO, inU, inL := by.ByName(o), by.ByName(u), by.ByName(l)
	wasEmpty := len(u.Content) == 0 || len(l.Content) == 0
	kept := make([]*yaml.Node, 0, len(l.Content))
	for _, lv := range l.Content {
		values, name := by.Values(lv), by.name(lv)
		if r := m.item(t, by, values, inO[name], inU[name], lv); r != nil {
			kept = append(kept, r)
		}
	}
	for _, uv := range u.Content {
		values, name := by.Values(uv), by.name(uv)
		if inL[name] != nil {
			continue
		}
		if r := m.item(t, by, values, inO[name], uv, nil); r != nil {
			m.Changed = true
			kept = append(kept, r)
		}
	}
	if len(kept) != len(l.Content) {
		m.Changed = true
	}
	if len(kept) == 0 && !wasEmpty {
		return nil
	}
	l.Content = m.reorder(by, o, u, l, kept)
	return l
}

// item merges one item. If one side deleted it and the other changed it, that is a conflict.
func (m *Merger) item(t *schema.Type, by *Keying, values []string, o, u, l *yaml.Node) *yaml.Node {
	m.At = append(m.At, Item(by.Keys, values))
	defer func() { m.At = m.At[:len(m.At)-1] }()
	if o == nil || u != nil && l != nil {
		return m.Value(t, o, u, l)
	}
	left := u
	if u == nil {
		left = l
	}
	if Equal(left, o) || !krm.IsMap(left) {
		return nil
	}
	return m.Conflict(o, u, l, func() *yaml.Node {
		if by.atomic {
			return u
		}
		r := m.mergeRest(t, ifMap(o), u, l)
		if r != nil {
			nameItem(r, by.Keys, left, o)
		}
		return r
	})
}

// nameItem restores the keys of an item of which only a part is left.
func nameItem(n *yaml.Node, keys []string, from ...*yaml.Node) {
	for i := len(keys) - 1; i >= 0; i-- {
		if have, _ := IndexFields(n).Field(keys[i], 0); have != nil {
			continue
		}
		for _, f := range from {
			if key, v := IndexFields(f).Field(keys[i], 0); key != nil {
				n.Content = append([]*yaml.Node{key, v}, n.Content...)
				break
			}
		}
	}
}
