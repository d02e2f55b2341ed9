package manifest

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// Leaf is a string of an object that a template fills in. It is enough to measure an expanded object: only
// its leaves change.
type Leaf struct {
	Value int   // index of its value in the values of the template
	path  []int // indexes of Content from the root
	size  int   // of the template as JSON
}

// Leaves are the strings of an object that t fills in, in the order of the document.
func Leaves(t *expansion.Template, root *yaml.Node) (out []Leaf) {
	for i, path := range t.Places() {
		out = append(out, Leaf{path: path, Value: i, size: textSize(at(root, path).Value)})
	}
	slices.SortFunc(out, func(a, b Leaf) int { return slices.Compare(a.path, b.path) })
	return out
}

// at is the node at path below root.
func at(root *yaml.Node, path []int) *yaml.Node {
	for _, i := range path {
		root = root.Content[i]
	}
	return root
}

// Restyle puts the expanded string into normal form, in place: expansion has copied it and its parents.
func (l Leaf) Restyle(root *yaml.Node) {
	n := at(root, l.path)
	n.Style = textStyle(n.Value)
}

// Growth is how much longer an object's JSON becomes with value in place of the template.
func (l Leaf) Growth(value string) int { return textSize(value) - l.size }

// InIdentity reports whether l is in the kind, name or namespace of an object.
func (l Leaf) InIdentity(root *yaml.Node) bool {
	switch l.key(root, 0) {
	case "apiVersion", "kind":
		return true
	case "metadata":
		return slices.Contains([]string{"name", "namespace"}, l.key(root.Content[l.path[0]], 1))
	}
	return false
}

// InHead reports whether l is in the type or metadata, which a hub checks.
func (l Leaf) InHead(root *yaml.Node) bool { return isHead(l.key(root, 0)) }

// key is the field of the mapping m that l is in; m is depth steps down the path of l.
func (l Leaf) key(m *yaml.Node, depth int) string { return m.Content[l.path[depth]-1].Value }
