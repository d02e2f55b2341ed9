package manifest

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// Leaf is a string that a template fills in: where it stands, as indices of Content from the root,
// which of the template's values it gets, and the size of the template in JSON. With these an
// expanded object is measured by looking at what changed.
type Leaf struct {
	path  []int
	Value int
	size  int
}

// Leaves lists the strings of an object that t fills in, in the order of the document.
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

// Restyle puts the filled-in string into normal form, in place: expansion copied it and all above it.
func (l Leaf) Restyle(root *yaml.Node) {
	n := at(root, l.path)
	n.Style = textStyle(n.Value)
}

// Growth is by how much an object's JSON grows when the string becomes value.
func (l Leaf) Growth(value string) int { return textSize(value) - l.size }

// InIdentity reports whether l stands in what an object is called or of which kind it is.
func (l Leaf) InIdentity(root *yaml.Node) bool {
	switch l.key(root, 0) {
	case "apiVersion", "kind":
		return true
	case "metadata":
		return slices.Contains([]string{"name", "namespace"}, l.key(root.Content[l.path[0]], 1))
	}
	return false
}

// InHead reports whether l stands in what a hub looks at.
func (l Leaf) InHead(root *yaml.Node) bool { return isHead(l.key(root, 0)) }

// key is the field of m, a mapping, that l stands in, m being that many steps down its path.
func (l Leaf) key(m *yaml.Node, depth int) string { return m.Content[l.path[depth]-1].Value }
