package threeway

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// itemName is the name of a list item; "" when it has none.
type itemName func(item *yaml.Node) string

// list merges two lists item by item where their items have names, else as one value.
func (m *merger) list(o, l, d *yaml.Node, at string) *yaml.Node {
	if !krm.IsList(l) {
		l = nil
	}
	name := m.itemNames(o, l, d, at)
	switch {
	case name != nil:
		return m.items(o, l, d, name)
	case sameData(o, d):
		return o
	}
	return KeepForm(o, d)
}

// itemNames is how the items of these lists are identified; nil when they have no names.
func (m *merger) itemNames(o, l, d *yaml.Node, at string) itemName {
	switch {
	case at == atFinalizers:
		return ifUnique(ScalarText, o, l, d)
	case at == atOwnerReferences:
		return ifUnique(ReferenceName, o, l, d)
	case m.WholeLists || m.Hashed:
		return nil
	}
	for _, keys := range mergeKeys {
		name := func(item *yaml.Node) string { return nameBy(item, keys) }
		if everyItem(name, o, l, d) {
			return ifUnique(name, o, l, d)
		}
	}
	return nil
}

// mergeKeys are the fields that name items; the first that all items have counts. One port may occur for several protocols;
// an item without a protocol is for TCP.
var mergeKeys = [][]string{
	{"containerPort", "protocol"}, {"port", "protocol"}, {"mountPath"}, {"name"}, {"uid"}, {"ip"}, {"path"},
}

func nameBy(item *yaml.Node, keys []string) string {
	first := krm.Lookup(item, keys[0])
	if first == nil || first.Kind != yaml.ScalarNode || krm.IsNull(first) {
		return ""
	}
	name := "=" + first.Value // an empty text is a name, too
	if len(keys) > 1 {
		second := ScalarText(krm.Lookup(item, keys[1]))
		if second == "" {
			second = "TCP"
		}
		name += "\x00" + second
	}
	return name
}

// ReferenceName identifies an owner reference: a reference to a recreated object has the same name.
func ReferenceName(item *yaml.Node) string {
	kind, name := ScalarText(krm.Lookup(item, "kind")), ScalarText(krm.Lookup(item, "name"))
	if kind == "" || name == "" {
		return ""
	}
	group, _, found := strings.Cut(ScalarText(krm.Lookup(item, "apiVersion")), "/")
	if !found {
		group = ""
	}
	return group + "\x00" + kind + "\x00" + name
}

// everyItem reports whether items exist, and all have a name.
func everyItem(name itemName, lists ...*yaml.Node) bool {
	some := false
	for _, list := range lists {
		for _, item := range ItemsOf(list) {
			if name(item) == "" {
				return false
			}
			some = true
		}
	}
	return some
}

// ifUnique is name, unless an item has none or two of one list have the same.
func ifUnique(name itemName, lists ...*yaml.Node) itemName {
	for _, list := range lists {
		seen := make(map[string]bool, len(ItemsOf(list)))
		for _, item := range ItemsOf(list) {
			n := name(item)
			if n == "" || seen[n] {
				return nil
			}
			seen[n] = true
		}
	}
	return name
}

// items merges two lists of named items.
func (m *merger) items(o, l, d *yaml.Node, name itemName) *yaml.Node {
	inO, inL, inD := byName(o, name), byName(l, name), byName(d, name)
	kept, changed := make([]*yaml.Node, 0, max(len(o.Content), len(d.Content))), false
	for _, have := range o.Content {
		n := name(have)
		want, was := inD[n], inL[n]
		if want == nil && was != nil {
			changed = true
			continue
		}
		if want != nil {
			if v := m.value(have, was, want, elsewhere); v != krm.Deref(have) {
				have, changed = v, true
			}
		}
		kept = append(kept, have)
	}
	for _, want := range d.Content {
		n := name(want)
		if inO[n] != nil {
			continue
		}
		if v := m.value(nil, inL[n], want, elsewhere); v != nil {
			kept, changed = append(kept, v), true
		}
	}
	if !changed {
		return o
	}
	return withContent(o, kept)
}

func byName(list *yaml.Node, name itemName) map[string]*yaml.Node {
	out := make(map[string]*yaml.Node, len(ItemsOf(list)))
	for _, item := range ItemsOf(list) {
		out[name(item)] = krm.Deref(item)
	}
	return out
}

// ItemsOf returns the items of a list; none for nil.
func ItemsOf(list *yaml.Node) []*yaml.Node {
	if list == nil {
		return nil
	}
	return list.Content
}
