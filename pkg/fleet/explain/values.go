package explain

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// leaves are the paths, below at, of all values in n that hold no others, in document order.
func leaves(n *yaml.Node, at Path) (out []Path) {
	n = krm.Deref(n)
	switch {
	case n.Kind == yaml.MappingNode && len(n.Content) > 0:
		for i := 0; i+1 < len(n.Content); i += 2 {
			out = append(out, leaves(n.Content[i+1], below(at, step{name: n.Content[i].Value}))...)
		}
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		named := keyedByName(n)
		for i, item := range n.Content {
			s := step{name: strconv.Itoa(i), boxed: true}
			if named {
				name, _ := keyOf(item, itemKey)
				s = step{name: itemKey, value: name, keyed: true}
			}
			out = append(out, leaves(item, below(at, s))...)
		}
	default:
		return []Path{at}
	}
	return out
}

func below(at Path, s step) Path { return append(slices.Clip(at), s) }

// itemKey identifies the items of most lists of Kubernetes.
const itemKey = "name"

// keyedByName reports whether all items of a list have different names.
func keyedByName(list *yaml.Node) bool {
	seen := make(map[string]bool, len(list.Content))
	for _, item := range list.Content {
		name, ok := keyOf(item, itemKey)
		if !ok || seen[name] || strings.ContainsAny(name, "[]") {
			return false
		}
		seen[name] = true
	}
	return true
}

// longest is how many characters of a value are shown.
const longest = 200

// textOf is a value as text on one line; nil for no node.
func textOf(n *yaml.Node) *string {
	if n == nil {
		return nil
	}
	var b strings.Builder
	writeFlow(&b, krm.Deref(n))
	text := []rune(b.String())
	out := string(text)
	if len(text) > longest {
		out = string(text[:longest]) + "…"
	}
	return &out
}

// writeFlow writes n in flow style, until there is more than is shown.
func writeFlow(b *strings.Builder, n *yaml.Node) {
	n = krm.Deref(n)
	if b.Len() > 4*longest {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(n.Content[i].Value + ": ")
			writeFlow(b, n.Content[i+1])
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				b.WriteString(", ")
			}
			writeFlow(b, item)
		}
		b.WriteByte(']')
	default:
		writeScalar(b, n)
	}
}

// writeScalar quotes text that YAML would read as another type.
func writeScalar(b *strings.Builder, n *yaml.Node) {
	switch tag := n.ShortTag(); {
	case tag == yaml.NodeTagNull:
		b.WriteString("null")
	case tag == yaml.NodeTagString && (n.Value == "" || krm.StringNode(n.Value).Style != 0 || strings.ContainsAny(n.Value, "\n\t")):
		b.WriteString(strconv.Quote(n.Value))
	default:
		b.WriteString(n.Value)
	}
}

// hides reports whether the value at p in an object, or in an object that it carries, is secret or holds secrets.
func hides(root *yaml.Node, p Path) bool {
	n, in := krm.Deref(root), ""
	for i := range p {
		if secret.Is(n) && !secret.Public(fieldNames(p[i:])...) {
			return true
		}
		above := in
		if in, n = p[i].name, p[i].from(n); n == nil {
			return false
		}
		if secret.HidesAnnotation(above, in, n) {
			return true
		}
	}
	return secret.Contains(in, n)
}

func fieldNames(p Path) (out []string) {
	for _, s := range p {
		out = append(out, s.name)
	}
	return out
}
