package fleet

import (
	"bytes"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Listed is an object, and the way to it in the list that it stands in: names of fields and places in lists.
type Listed struct {
	Node *yaml.Node
	Way  []string
}

// Unlisted are the objects of a list, in lists within it as well, as kubectl and those that apply like it take it apart: a
// kind that ends in List, with items, of which those that do not say what they are are of the list's kind. What is no list
// is its own only object.
func Unlisted(n *yaml.Node) []Listed { return unlisted(nil, Listed{Node: n}) }

func unlisted(out []Listed, one Listed) []Listed {
	items := itemsOf(one.Node)
	if items == nil {
		return append(out, one)
	}
	for i, item := range items.Content {
		way := append(one.Way[:len(one.Way):len(one.Way)], "items", strconv.Itoa(i))
		out = unlisted(out, Listed{typed(krm.Deref(item), one.Node), way})
	}
	return out
}

// itemsOf is what a list holds; nil for what is none.
func itemsOf(n *yaml.Node) *yaml.Node {
	if n = krm.Deref(n); n.Kind != yaml.MappingNode || !strings.HasSuffix(word(n, "kind"), listSuffix) {
		return nil
	}
	if items := krm.Lookup(n, "items"); items != nil && items.Kind == yaml.SequenceNode {
		return items
	}
	return nil
}

const listSuffix = "List"

// typed is an item that says what it is.
func typed(item, list *yaml.Node) *yaml.Node {
	kind := strings.TrimSuffix(word(list, "kind"), listSuffix)
	if item.Kind != yaml.MappingNode || word(item, "kind") != "" || kind == "" {
		return item
	}
	item = krm.CopyNode(item)
	krm.SetField(item, "kind", krm.StringNode(kind))
	if word(item, "apiVersion") == "" {
		krm.SetField(item, "apiVersion", krm.StringNode(word(list, "apiVersion")))
	}
	return item
}

// mayList reports whether any kind in data may be that of a list: it ends in List, or it is not written plainly.
func mayList(data []byte) bool {
	const kind = "kind"
	for i := bytes.Index(data, []byte(kind)); i >= 0; {
		data = data[i+len(kind):]
		line, _, _ := bytes.Cut(data, []byte("\n"))
		value := bytes.TrimLeft(line, "\"' \t")
		if len(value) > 0 && value[0] == ':' && listKind(string(value[1:])) {
			return true
		}
		i = bytes.Index(data, []byte(kind))
	}
	return false
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
