package manifestwork

import (
	"bytes"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Item is an object in a list, and the path to it: names of fields and indexes.
type Item struct {
	Node *yaml.Node
	Path []string
}

// Flatten returns the objects of a list and of lists within it, as kubectl does: a list is a kind that ends in List and has
// items; items without a kind get it from the list. An object that is no list is returned itself.
func Flatten(n *yaml.Node) []Item { return flatten(nil, Item{Node: n}) }

func flatten(out []Item, one Item) []Item {
	items := Items(one.Node)
	if items == nil {
		return append(out, one)
	}
	for i, item := range items.Content {
		way := append(one.Path[:len(one.Path):len(one.Path)], "items", strconv.Itoa(i))
		out = flatten(out, Item{typed(krm.Deref(item), one.Node), way})
	}
	return out
}

// Items is the sequence of a list; nil for an object that is no list.
func Items(n *yaml.Node) *yaml.Node {
	if n = krm.Deref(n); n.Kind != yaml.MappingNode || !strings.HasSuffix(krm.Text(n, "kind"), listSuffix) {
		return nil
	}
	if items := krm.Lookup(n, "items"); items != nil && items.Kind == yaml.SequenceNode {
		return items
	}
	return nil
}

const listSuffix = "List"

func typed(item, list *yaml.Node) *yaml.Node {
	kind := strings.TrimSuffix(krm.Text(list, "kind"), listSuffix)
	if item.Kind != yaml.MappingNode || krm.Text(item, "kind") != "" || kind == "" {
		return item
	}
	item = krm.CopyNode(item)
	krm.SetField(item, "kind", krm.StringNode(kind))
	if krm.Text(item, "apiVersion") == "" {
		krm.SetField(item, "apiVersion", krm.StringNode(krm.Text(list, "apiVersion")))
	}
	return item
}

// MayList reports whether a kind in data may be that of a list: it ends in List, or is not written plainly.
func MayList(data []byte) bool {
	for {
		_, rest, found := bytes.Cut(data, []byte("kind"))
		if !found {
			return false
		}
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		value := bytes.TrimLeft(line, "\"' \t")
		if len(value) > 0 && value[0] == ':' && listKind(string(value[1:])) {
			return true
		}
		data = rest
	}
}

// listKind reports whether text, the rest of a line behind "kind:", may begin with the kind of a list.
func listKind(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[:1], "#&*!|>") {
		return true
	}
	end := strings.IndexAny(text[1:], "\"', \t}")
	if end < 0 {
		end = len(text) - 1
	}
	word := strings.Trim(text[:end+1], `"'`)
	return strings.HasSuffix(word, listSuffix) || strings.Contains(word, `\`)
}
